"""How a source stands is told as it is: a reading that stopped is never «up to date»."""

from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from heedful.memory.messages.sources_store import Stop, StopReason
from heedful.presenters import machine
from heedful.presenters.source_words import (
    belief_words,
    comparing_words,
    empty_words,
    fresh_words,
    kept_words,
    missing_words,
    pending_words,
    standing,
    stop_words,
    things,
    unread_words,
)
from tests.conftest import NOW
from tests.fakes.services import source_row

READ = source_row("Inbox", messages=2000, last_sync_at=NOW - timedelta(days=1))


def test_a_source_that_was_read_to_its_end_is_up_to_date() -> None:
    assert standing(READ, NOW) == "up to date"
    assert stop_words(READ, NOW) == ""
    assert standing(replace(READ, last_sync_at=None), NOW) == "not read yet"


@pytest.mark.parametrize("reason", get_args(StopReason))
def test_a_reading_that_stopped_says_where_and_why_and_is_not_up_to_date(reason: StopReason) -> None:
    row = replace(READ, stop=Stop(reason, 2000, 5000))
    assert standing(row, NOW) == "stopped"
    assert stop_words(row, NOW).startswith("Stopped after 2,000 of about 5,000 messages: ")
    assert machine.source(row)["stopped"] == {"reason": reason, "done": 2000, "total": 5000}


def test_where_the_whole_is_unknown_only_what_was_read_is_told() -> None:
    row = replace(READ, stop=Stop("paused", 1, None))
    assert stop_words(row, NOW) == "Stopped after 1 message: you paused it."


def test_a_reading_without_a_sign_of_life_has_ended_with_its_process() -> None:
    row = replace(READ, reading_at=NOW - timedelta(seconds=10))
    assert standing(row, NOW) == "being read"
    assert standing(row, NOW + timedelta(hours=1)) == "stopped"
    assert "Heedful ended in the middle of it" in stop_words(row, NOW + timedelta(hours=1))


def test_a_source_that_is_to_be_compared_with_its_place_is_not_up_to_date_yet() -> None:
    row = replace(READ, comparing_at=NOW)
    assert standing(row, NOW) == "comparing"
    assert comparing_words(row, NOW) == "what was deleted there goes next"
    assert standing(replace(row, comparing_at=NOW + timedelta(days=7)), NOW) == "up to date"
    assert standing(replace(row, missing=3), NOW) == "incomplete"
    assert comparing_words(READ, NOW) == ""


def test_freshness_goes_by_the_moment_something_came_in_and_not_by_its_date() -> None:
    assert fresh_words(replace(READ, last_new_at=NOW - timedelta(minutes=4)), NOW) == "last new 4 min ago"
    assert fresh_words(READ, NOW) == ""


def test_a_source_in_which_nothing_was_found_says_what_it_was_taken_for() -> None:
    nothing = replace(READ, messages=0, label="Mail folder (Maildir)")
    assert empty_words(nothing).startswith("No message was found in it, read as “Mail folder (Maildir)”.")
    assert empty_words(READ) == ""
    assert empty_words(replace(nothing, rejected=2)) == ""
    assert empty_words(replace(nothing, last_sync_at=None)) == ""
    assert empty_words(replace(nothing, last_new_at=NOW)) == ""


def test_what_is_missing_pending_and_kept_is_told_where_there_is_any() -> None:
    row = replace(READ, missing=1200, pending=3, keep_days=90)
    assert standing(row, NOW) == "incomplete"
    assert missing_words(row) == "1,200 of its 2,000 messages are no longer there; Heedful keeps them."
    one = replace(READ, missing=1, messages=8)
    assert missing_words(one) == "1 of its 8 messages is no longer there; Heedful keeps it."
    assert (pending_words(row), kept_words(row)) == ("3 waiting for background work", "kept 90 days")
    assert (missing_words(READ), pending_words(READ), kept_words(READ)) == ("", "", "")


def test_folders_that_could_not_be_read_are_named_and_nothing_of_them_is_offered_as_deleted() -> None:
    row = replace(READ, unread=("Archive",), missing=2, messages=8)
    assert standing(row, NOW) == "incomplete"
    assert unread_words(row) == "1 folder could not be read: Archive. Heedful keeps what it has read there."
    assert missing_words(row) == "2 of its 8 messages were not found; Heedful keeps what it has read."
    assert belief_words(row) == ""
    many = replace(READ, unread=("a", "b", "c", "d", "e"))
    assert unread_words(many).startswith("5 folders could not be read: a, b, c and 2 more. ")
    assert machine.source(row)["unread_folders"] == ["Archive"]
    assert (unread_words(READ), belief_words(READ)) == ("", "")
    assert belief_words(replace(row, unread=())) == "They were deleted: forget 2 messages"
    assert belief_words(replace(row, missing=1, unread=())) == "It was deleted: forget 1 message"


def test_a_calendar_holds_events_and_a_folder_of_notes_holds_notes() -> None:
    assert things(replace(READ, kind="ics"), 5_249) == "5,249 events"
    assert things(replace(READ, kind="markdown"), 1) == "1 note"
    assert things(READ, 2) == "2 messages"


def test_an_error_and_a_pause_come_before_how_the_last_reading_went() -> None:
    row = replace(READ, stop=Stop("error", 1, 2), missing=3)
    assert standing(replace(row, state="error", error="It is gone."), NOW) == "needs you"
    assert standing(replace(row, state="paused"), NOW) == "paused"
