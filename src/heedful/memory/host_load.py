"""How hard memory work may go just now: the machine belongs to the person first.

Nothing here is urgent. On a battery that runs low, or while other programs need the processor, work slows down; with
a program in full screen, a very busy processor or a source being read, it waits. The reason is always at hand.

Source: reference behaviour §6.12, thresholds of the scheduler gate.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from heedful.core.clock import Clock
from heedful.memory.full_screen import is_full_screen

if TYPE_CHECKING:  # 10 ms and 4 MB that only a running gauge needs
    import psutil

SAMPLE_EVERY_S = 30.0
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


class HostGauge:
    """Looks at the machine at most every half minute; whether a source is being read is asked for each time.

    Belongs to one thread at a time.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        is_reading: Callable[[], bool] = lambda: False,
        is_full_screen: Callable[[], bool] = is_full_screen,
    ) -> None:
        self._clock = clock
        self._is_reading = is_reading
        self._ask_full_screen = is_full_screen
        self._own: psutil.Process | None = None
        self._sampled_at: float | None = None
        self._battery: float | None = None
        self._others_cpu = 0.0
        self._is_full_screen = False

    def __call__(self) -> Verdict:
        """The verdict for now."""
        now = self._clock.monotonic()
        if self._sampled_at is None or now - self._sampled_at >= SAMPLE_EVERY_S:
            self._sample(is_first=self._sampled_at is None)
            self._sampled_at = now
        return verdict_on(HostLoad(self._battery, self._others_cpu, self._is_full_screen, self._is_reading()))

    def _sample(self, *, is_first: bool) -> None:
        """Measures since the last sample; the first one only begins to count."""
        import psutil

        self._own = self._own or psutil.Process()
        cores = psutil.cpu_count() or 1
        whole = psutil.cpu_percent() / 100
        own = self._own.cpu_percent() / 100 / cores
        self._others_cpu = 0.0 if is_first else max(0.0, whole - own)
        self._battery = _charge()
        self._is_full_screen = self._ask_full_screen()


def _charge() -> float | None:
    import psutil

    battery = None
    # A machine without sensors, or a container that hides them, counts as plugged in.
    with contextlib.suppress(OSError, AttributeError, RuntimeError):
        battery = psutil.sensors_battery()
    if battery is None or battery.power_plugged is not False:
        return None
    return float(battery.percent) / 100
