"""How hard memory work may go just now: the machine belongs to the person first.

Nothing here is urgent. On a battery that runs low, or while other programs need the processor, work slows down; with
a program in full screen, a very busy processor or a source being read, it waits. The reason is always at hand.

The thresholds were set by hand.
"""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from heedful.core.clock import Clock
from heedful.memory.work.full_screen import is_full_screen

if TYPE_CHECKING:  # 10 ms and 4 MB that only a running gauge needs
    import psutil

SAMPLE_EVERY_S = 30.0
STALE_AFTER_S = 90.0
GLANCE_S = 0.25
"""How long the processor is watched at once where the last sample says nothing of now."""
MOST_FOR_US = 0.8
"""With a model at work for us for more of the time than this, what the others use can't be told from what it uses."""
BATTERY_FLOOR = 0.80
CPU_BUSY = 0.70
CPU_SEVERE = 0.95


class Pace(StrEnum):
    """Full: one job after the other. Slow: a long rest after each. Paused: none."""

    FULL = "full"
    SLOW = "slow"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The pace, and why in a sentence for the person; empty at full pace."""

    pace: Pace
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HostLoad:
    """The machine at one moment. `battery` is its charge from 0 to 1, None while plugged in or without one.

    `others_cpu` is what other programs use of all processors together, from 0 to 1.
    """

    battery: float | None = None
    others_cpu: float = 0.0
    is_full_screen: bool = False
    is_reading: bool = False


AT_FULL_PACE = Verdict(Pace.FULL)


def verdict_on(load: HostLoad) -> Verdict:
    """The pace that a load allows."""
    if load.is_reading:
        return Verdict(Pace.PAUSED, "A source is being read; the rest follows.")
    if load.is_full_screen:
        return Verdict(Pace.PAUSED, "A program is in full screen.")
    if load.others_cpu >= CPU_SEVERE:
        return Verdict(Pace.PAUSED, "Other programs need the whole processor.")
    if load.others_cpu >= CPU_BUSY:
        return Verdict(Pace.SLOW, "Other programs keep the processor busy.")
    if load.battery is not None and load.battery < BATTERY_FLOOR:
        return Verdict(Pace.SLOW, f"On battery, at {round(load.battery * 100)} %.")
    return AT_FULL_PACE


class Machine(Protocol):
    """What is asked of the machine; blocking."""

    def cpu(self, watched_s: float | None) -> tuple[float, float]:
        """What everything and what this process used of all processors, from 0 to 1.

        Since the last call; where given, over so many seconds from now.
        """
        ...

    def battery(self) -> float | None:
        """Its charge from 0 to 1; None while plugged in or without one."""
        ...

    def is_full_screen(self) -> bool:
        """Whether a program fills the screen."""
        ...


class ThisMachine:
    """The machine that this runs on."""

    def __init__(self) -> None:
        self._own: psutil.Process | None = None

    def cpu(self, watched_s: float | None) -> tuple[float, float]:
        import psutil

        own = self._own = self._own or psutil.Process()
        if watched_s is not None:
            own.cpu_percent()
        whole = psutil.cpu_percent(watched_s)
        return whole / 100, own.cpu_percent() / 100 / (psutil.cpu_count() or 1)

    def battery(self) -> float | None:
        return _charge()

    def is_full_screen(self) -> bool:
        return is_full_screen()


class HostGauge:
    """Looks at the machine at most every half minute; whether a source is being read is asked for each time.

    `model_s` is for how many seconds in all a model on this computer has worked for us: that is not others' use. One
    gauge serves all threads.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        is_reading: Callable[[], bool] = lambda: False,
        model_s: Callable[[], float] = lambda: 0.0,
        machine: Machine | None = None,
    ) -> None:
        self._clock = clock
        self._is_reading = is_reading
        self._model_s = model_s
        self._machine = machine or ThisMachine()
        self._guard = threading.Lock()
        self._sampled_at: float | None = None
        self._model_s_then = 0.0
        self._load = HostLoad()

    def __call__(self) -> Verdict:
        """The verdict for now."""
        with self._guard:
            now = self._clock.monotonic()
            if self._sampled_at is None or now - self._sampled_at >= SAMPLE_EVERY_S:
                since_s = None if self._sampled_at is None else now - self._sampled_at
                self._load = self._sample(since_s)
                self._sampled_at, self._model_s_then = now, self._model_s()
            return verdict_on(replace(self._load, is_reading=self._is_reading()))

    def _sample(self, since_s: float | None) -> HostLoad:
        """Measures since the last sample, or a moment where that is long ago."""
        is_stale = since_s is None or since_s > STALE_AFTER_S
        model_s_before = self._model_s() if is_stale else self._model_s_then
        whole, own = self._machine.cpu(GLANCE_S if is_stale else None)
        model = (self._model_s() - model_s_before) / (GLANCE_S if is_stale or since_s is None else since_s)
        others = (
            max(0.0, whole - own - model) / (1 - model) if model <= MOST_FOR_US else self._load.others_cpu
        )
        return HostLoad(self._machine.battery(), others, self._machine.is_full_screen())


def _charge() -> float | None:
    import psutil

    battery = None
    # A machine without sensors, or a container that hides them, counts as plugged in.
    with contextlib.suppress(OSError, AttributeError, RuntimeError):
        battery = psutil.sensors_battery()
    if battery is None or battery.power_plugged is not False:
        return None
    return float(battery.percent) / 100
