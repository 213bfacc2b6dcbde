"""Calendar files: series, their changes, and times in every zone."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.errors import RejectedError
from heedful.sources import Incoming, Rejected
from heedful.sources.calendar_series import split_series
from heedful.sources.ics import SOURCE, read_event, unfold
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.sources.letters import batches, items, rejected

BERLIN = ZoneInfo("Europe/Berlin")


def calendar(*components: str, head: str = "") -> str:
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{head}" + "".join(components) + "END:VCALENDAR\n"


def event(*lines: str, uid: str = "a@prado.example", kind: str = "VEVENT") -> str:
    return "\n".join([f"BEGIN:{kind}", f"UID:{uid}", *lines, f"END:{kind}", ""])


WEEKLY = (
    "DTSTART;TZID=Europe/Berlin:20261105T150000",
    "DTEND;TZID=Europe/Berlin:20261105T160000",
    "RRULE:FREQ=WEEKLY;COUNT=8",
    "SUMMARY:Budget",
)


def read(text: str, *, zone: ZoneInfo = BERLIN, now: datetime = NOW) -> list[Incoming | Rejected]:
    return [read_event(series, now=now, zone=zone) for series in split_series(text.encode())]


def one(text: str, *, zone: ZoneInfo = BERLIN, now: datetime = NOW) -> Incoming:
    (found,) = read(text, zone=zone, now=now)
    assert isinstance(found, Incoming), found
    return found


def test_events_that_stand_without_a_calendar_are_read_like_others() -> None:
    day = "DTSTART:20261203T150000Z"
    first, second = event(day, "SUMMARY:Budget"), event(day, "SUMMARY:Roof", uid="b@x.example")
    third = calendar(event(day, "SUMMARY:Dock", uid="c@x.example"))

    found = [one_.subject for one_ in read(first + second + third) if isinstance(one_, Incoming)]
    assert found == ["Budget", "Roof", "Dock"]
    assert one(first).text == one(calendar(first)).text


def test_an_event_is_told_in_sentences() -> None:
    found = one(
        calendar(
            event(
                "DTSTAMP:20261101T100000Z",
                "DTSTART;TZID=Europe/Berlin:20261203T150000",
                "DTEND;TZID=Europe/Berlin:20261203T160000",
                "SUMMARY:Budget\\, round two",
                "LOCATION:Room 4",
                'ORGANIZER;CN="Ana Prado":mailto:Ana@prado.example',
                "ATTENDEE;CN=Bo Lind:mailto:bo@lind.example",
                "DESCRIPTION:Please bring\\nthe figures.",
            )
        )
    )

    assert found.text.split("\n") == [
        "Budget, round two",
        "Thursday 3 December 2026, 15:00–16:00 (Europe/Berlin).",
        "Where: Room 4",
        "With: Ana Prado (organiser), Bo Lind",
        "",
        "Please bring",
        "the figures.",
    ]
    assert found.author.address == "ana@prado.example"
    assert found.sent_at == datetime(2026, 11, 1, 10, tzinfo=UTC)
    assert (found.kind, found.identity, found.thread_key) == (
        "event",
        "ics:a@prado.example",
        "a@prado.example",
    )


def test_a_series_is_one_thing_with_its_times() -> None:
    found = one(calendar(event(*WEEKLY)))

    assert [time.starts_at.date().day for time in found.occurrences] == [5, 12, 19, 26, 3, 10, 17, 24]
    assert "every week, 8 times" in found.text
    assert len({time.key for time in found.occurrences}) == 8


def test_a_moved_and_a_cancelled_occurrence_are_told() -> None:
    found = one(
        calendar(
            event(*WEEKLY),
            event(
                "RECURRENCE-ID;TZID=Europe/Berlin:20261203T150000",
                "DTSTART;TZID=Europe/Berlin:20261203T153000",
                "SUMMARY:Budget",
            ),
            event(
                "RECURRENCE-ID;TZID=Europe/Berlin:20261210T150000",
                "DTSTART;TZID=Europe/Berlin:20261210T150000",
                "STATUS:CANCELLED",
                "SUMMARY:Budget",
            ),
        )
    )

    assert "Moved: Thursday 3 December 15:30 instead of 15:00." in found.text
    assert "Cancelled: Thursday 10 December 15:00." in found.text
    moved = next(time for time in found.occurrences if time.moved_from is not None)
    assert moved.starts_at - (moved.moved_from or moved.starts_at) == timedelta(minutes=30)
    assert [time.status for time in found.occurrences].count("cancelled") == 1


def test_an_excluded_date_does_not_take_place_and_an_added_one_does() -> None:
    found = one(
        calendar(
            event(
                *WEEKLY,
                "EXDATE;TZID=Europe/Berlin:20261112T150000",
                "RDATE;TZID=Europe/Berlin:20261113T150000",
            )
        )
    )

    days = [time.starts_at.day for time in found.occurrences if time.starts_at.month == 11]
    assert days == [5, 13, 19, 26]


def test_a_cancelled_calendar_cancels_its_events() -> None:
    found = one(calendar(event(*WEEKLY), head="METHOD:CANCEL\n"))

    assert "Cancelled: Budget." in found.text
    assert {time.status for time in found.occurrences} == {"cancelled"}


@pytest.mark.parametrize(
    ("start", "utc_hour"),
    [
        ("DTSTART:20261203T150000Z", 15),
        ("DTSTART:20261203T150000", 14),
        ("DTSTART;TZID=America/Sao_Paulo:20261203T150000", 18),
        ("DTSTART;TZID=W. Europe Standard Time:20261203T150000", 14),
        ("DTSTART;TZID=Nowhere/Land:20261203T150000", 14),
        ("DTSTART;TZID=Ours:20261203T150000", 12),
    ],
)
def test_a_time_is_a_moment_whatever_its_zone_is_called(start: str, utc_hour: int) -> None:
    ours = (
        "BEGIN:VTIMEZONE\nTZID:Ours\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
        "TZOFFSETFROM:+0300\nTZOFFSETTO:+0300\nEND:STANDARD\nEND:VTIMEZONE\n"
    )
    (time,) = one(calendar(ours, event(start, "SUMMARY:Call"))).occurrences

    assert time.starts_at.astimezone(UTC).hour == utc_hour
    assert time.ends_at == time.starts_at


def test_a_series_keeps_its_hour_when_clocks_change() -> None:
    text = calendar(event("DTSTART;TZID=Europe/Berlin:20261001T090000", "RRULE:FREQ=WEEKLY", "SUMMARY:Run"))
    found = one(text, now=datetime(2026, 10, 20, tzinfo=UTC))

    assert {time.starts_at.astimezone(BERLIN).hour for time in found.occurrences} == {9}
    assert {time.starts_at.astimezone(UTC).hour for time in found.occurrences} == {7, 8}


def test_days_run_from_local_midnight_to_local_midnight() -> None:
    found = one(
        calendar(event("DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "SUMMARY:Holidays"))
    )

    (time,) = found.occurrences
    assert time.all_day
    assert time.starts_at == datetime(2026, 12, 24, tzinfo=BERLIN)
    assert time.ends_at == datetime(2026, 12, 27, tzinfo=BERLIN)
    assert "Thursday 24 December 2026 to Saturday 26 December 2026." in found.text


@pytest.mark.parametrize(
    ("end", "length"),
    [
        ("DURATION:PT90M", timedelta(minutes=90)),
        ("DURATION:-PT90M", timedelta()),
        ("DTEND:20261203T100000Z", timedelta()),
        ("X-NO:end", timedelta()),
    ],
)
def test_an_event_never_ends_before_it_begins(end: str, length: timedelta) -> None:
    (time,) = one(calendar(event("DTSTART:20261203T150000Z", end, "SUMMARY:Call"))).occurrences

    assert time.ends_at - time.starts_at == length


def test_a_to_do_takes_place_when_it_is_due() -> None:
    found = one(calendar(event("DUE:20261204T170000", "SUMMARY:Send the report", kind="VTODO")))

    assert found.text.startswith("To do: Send the report\nDue Friday 4 December 2026, 17:00")
    assert [time.starts_at for time in found.occurrences] == [datetime(2026, 12, 4, 17, tzinfo=BERLIN)]


def test_a_to_do_that_is_done_has_no_time_left() -> None:
    found = one(calendar(event("DUE:20261204T170000", "STATUS:COMPLETED", "SUMMARY:x", kind="VTODO")))

    assert found.occurrences == ()
    assert "Done." in found.text


def test_a_broken_event_is_rejected_and_its_neighbours_are_read() -> None:
    found = read(
        calendar(
            event("SUMMARY:No start", uid="1"),
            event("DTSTART:not a date", uid="2"),
            event(*WEEKLY, uid="3"),
        )
    )

    assert [type(one) for one in found] == [Rejected, Rejected, Incoming]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=HOURLY;BYMINUTE=0,10,20,30,40,50",
        "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=1,2,3,4,5",
        "FREQ=NEVER",
    ],
)
def test_no_rule_runs_away(rule: str) -> None:
    (found,) = read(calendar(event("DTSTART:19970902T090000Z", f"RRULE:{rule}", "SUMMARY:x")))

    assert isinstance(found, Rejected) or len(found.occurrences) <= 500


@pytest.mark.parametrize(
    "part",
    [
        "BYMONTH=0",
        "BYMONTHDAY=0,32",
        "BYYEARDAY=0",
        "BYYEARDAY=-367",
        "BYWEEKNO=54",
        "BYHOUR=24",
        "BYMINUTE=60",
        "BYSETPOS=2",
        "BYHOUR=9,15;BYSETPOS=-3",
    ],
)
def test_a_rule_that_can_never_come_true_is_not_searched_to_the_end_of_the_calendar(part: str) -> None:
    (found,) = read(calendar(event("DTSTART:20261202T090000Z", f"RRULE:FREQ=DAILY;{part}", "SUMMARY:x")))

    assert isinstance(found, Incoming)
    assert [one.starts_at.hour for one in found.occurrences] == [9]
    assert "every" not in found.text  # the rule was left out, and not only found without a time


@pytest.mark.parametrize("part", ["BYHOUR=9,15;BYSETPOS=2", "BYMONTHDAY=40,2", "BYHOUR=15;BYSETPOS=-1"])
def test_a_rule_of_which_a_part_can_come_true_is_kept(part: str) -> None:
    (found,) = read(calendar(event("DTSTART:20261202T150000Z", f"RRULE:FREQ=DAILY;{part}", "SUMMARY:x")))

    assert isinstance(found, Incoming)
    assert "every" in found.text
    assert len(found.occurrences) > 1


def test_what_opens_ever_deeper_is_followed_no_further_than_any_calendar_goes() -> None:
    nested = "BEGIN:X\r\n" * 1000 + "END:X\r\n" * 40
    text = calendar(event("DTSTART:20261202T090000Z", "SUMMARY:x")).replace(
        "BEGIN:VEVENT", nested + "BEGIN:VEVENT", 1
    )

    assert [type(one) for one in read(text)] == [Incoming]


def test_a_kept_series_unfolds_further_later() -> None:
    kept = one(
        calendar(event("DTSTART;TZID=Europe/Berlin:20201105T150000", "RRULE:FREQ=DAILY", "SUMMARY:x"))
    ).raw
    begin = datetime(2031, 1, 1, tzinfo=UTC)

    later = unfold(kept, begin, begin + timedelta(days=10), zone=BERLIN)

    assert [time.starts_at.astimezone(BERLIN).date() for time in later] == [
        date(2031, 1, 1) + timedelta(days=n) for n in range(10)
    ]
    assert unfold("damaged", begin, begin, zone=BERLIN) == ()


def test_a_time_stated_in_utc_is_told_in_the_calendars_zone() -> None:
    text = calendar(event("DTSTART:20261203T150000Z", "SUMMARY:x"), head="X-WR-TIMEZONE:America/Sao_Paulo\n")

    assert "12:00 (America/Sao_Paulo)" in one(text).text


def test_only_changed_events_come_again_and_removed_ones_are_gone(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "home.ics"
    path.write_text(calendar(event(*WEEKLY, uid="1"), event(*WEEKLY, uid="2"), event(*WEEKLY, uid="3")))
    cursor = batches(SOURCE, path, clock)[-1].cursor
    assert batches(SOURCE, path, clock, cursor) == []

    path.write_text(calendar(event(*WEEKLY, uid="1"), event(*WEEKLY, "LOCATION:Dock 4", uid="2")))

    (batch,) = batches(SOURCE, path, clock, cursor)
    assert [item.external_id for item in batch.items] == ["2"]
    assert batch.gone == ("3",)


def test_a_folder_of_calendars_is_one_source(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "a.ics").write_text(calendar(event(*WEEKLY, uid="1")))
    (tmp_path / "b.ics").write_text(calendar())
    assert SOURCE.fits(tmp_path) > 0.9

    found = batches(SOURCE, tmp_path, clock)

    assert [item.external_id for item in items(found)] == ["1"]
    assert [bad.place for bad in rejected(found)] == ["b.ics"]


def test_something_else_is_refused_as_a_whole(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "x.ics").write_text("words")
    with pytest.raises(RejectedError):
        batches(SOURCE, tmp_path / "x.ics", clock)


@given(
    st.lists(
        st.sampled_from(
            [
                "BEGIN:VEVENT",
                "END:VEVENT",
                "BEGIN:VALARM",
                "END:VALARM",
                "UID:1",
                "DTSTART:20261203T150000Z",
                "DTSTART;VALUE=DATE:20261203",
                "DTEND:99999999T999999",
                "DURATION:P1000000D",
                "RRULE:FREQ=WEEKLY;BYDAY=MO,XX",
                "RRULE:FREQ=YEARLY;UNTIL=20260101",
                "EXDATE:20261203",
                "RECURRENCE-ID:20261203T150000Z",
                "SUMMARY;LANGUAGE=en:\\,\\;\\n",
                "SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3=A9=",
                "ATTENDEE:",
                " folded",
                ":",
            ]
        ),
        max_size=20,
    )
)
def test_no_arrangement_of_lines_raises(lines: list[str]) -> None:
    for found in read("\n".join(["BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"])):
        assert isinstance(found, Incoming | Rejected)
