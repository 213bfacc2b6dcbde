"""Who is told of what, in which order, whatever a listener does."""

from heedful.core.bus import Bus
from heedful.core.events import Event, MemoryGrew, SettingsChanged, SourcesChanged
from heedful.core.ids import SourceId

A, B = SourcesChanged(SourceId("a")), SourcesChanged(SourceId("b"))


def test_a_listener_hears_its_kind_and_nothing_else(bus: Bus) -> None:
    heard: list[Event] = []
    bus.subscribe(SourcesChanged, heard.append)
    bus.publish([SettingsChanged(), A, MemoryGrew(SourceId("a"), 1)])
    assert heard == [A]


def test_a_listener_of_every_event_hears_all_in_order(bus: Bus) -> None:
    heard: list[Event] = []
    bus.subscribe(Event, heard.append)
    bus.publish([A, SettingsChanged(), B])
    assert heard == [A, SettingsChanged(), B]


def test_listeners_are_told_in_the_order_in_which_they_came(bus: Bus) -> None:
    heard: list[str] = []
    for name in "xyz":
        bus.subscribe(SourcesChanged, lambda _, who=name: heard.append(who))  # type: ignore[misc] # bound now
    bus.publish([A])
    assert heard == ["x", "y", "z"]


def test_what_a_listener_publishes_is_told_after_what_is_being_told(bus: Bus) -> None:
    heard: list[tuple[str, Event]] = []

    def first(event: Event) -> None:
        heard.append(("first", event))
        if event == A:
            bus.publish([B])

    bus.subscribe(SourcesChanged, first)
    bus.subscribe(SourcesChanged, lambda event: heard.append(("second", event)))
    bus.publish([A])
    assert heard == [("first", A), ("second", A), ("first", B), ("second", B)]


def test_a_listener_that_fails_is_logged_and_the_others_still_hear(
    bus: Bus, expected_logs: list[str]
) -> None:
    heard: list[Event] = []

    def fail(_: Event) -> None:
        raise ZeroDivisionError("with content that no log may hold")

    bus.subscribe(SourcesChanged, fail)
    bus.subscribe(SourcesChanged, heard.append)
    bus.publish([A, B])
    assert heard == [A, B]
    assert expected_logs == ["ERROR heedful.core.bus: a listener of SourcesChanged failed"] * 2


def test_a_listener_is_heard_of_no_more_after_unsubscribing_and_may_do_so_twice(bus: Bus) -> None:
    heard: list[Event] = []
    stop = bus.subscribe(SourcesChanged, heard.append)
    bus.publish([A])
    stop()
    stop()
    bus.publish([B])
    assert heard == [A]


def test_the_same_listener_twice_is_two_listeners(bus: Bus) -> None:
    heard: list[Event] = []
    stop = bus.subscribe(SourcesChanged, heard.append)
    bus.subscribe(SourcesChanged, heard.append)
    stop()
    bus.publish([A])
    assert heard == [A]


def test_a_listener_may_unsubscribe_itself_while_it_is_told(bus: Bus) -> None:
    heard: list[Event] = []

    def once(event: Event) -> None:
        heard.append(event)
        stop()

    stop = bus.subscribe(SourcesChanged, once)
    bus.publish([A, B])
    assert heard == [A]


def test_publishing_nothing_is_nothing(bus: Bus) -> None:
    heard: list[Event] = []
    bus.subscribe(Event, heard.append)
    bus.publish([])
    assert heard == []
