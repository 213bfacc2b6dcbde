"""The lines of a vault's notes."""

import pytest

from heedful.memory.exporting.notes import head, item_row, link


@pytest.mark.parametrize(
    ("state", "mark"),
    [("completed", "x"), ("approved", "x"), ("active", " "), ("dismissed", " "), ("snoozed", " ")],
)
def test_an_item_is_ticked_when_it_was_done_or_approved(state: str, mark: str) -> None:
    assert item_row({"title": "Paint the roof", "state": state}, {}) == (f"[{mark}] Paint the roof ({state})")


def test_an_item_leads_to_each_of_its_threads_once_and_says_when_it_is_due() -> None:
    evidence = [{"thread_id": "t1"}, {"thread_id": "t2"}, {"thread_id": "t1"}, {"thread_id": "gone"}, "odd"]
    told = item_row(
        {"title": "Paint [[it]]", "state": "active", "due": "2026-12-09", "evidence": evidence},
        {"t1": "Threads/a/Roof", "t2": "Threads/a/Fence"},
    )
    assert told == (
        r"[ ] Paint \[\[it\]\] (active, due 2026-12-09) [[Threads/a/Roof|source]] [[Threads/a/Fence|source]]"
    )


def test_front_matter_leaves_out_what_is_empty_and_keeps_nought() -> None:
    told = "".join(head({"a": None, "b": "", "c": [], "d": 0, "e": ["x"]}))
    assert told == '---\nd: 0\ne: ["x"]\n---\n'


def test_a_link_to_a_note_without_a_readable_title_reads_as_the_notes_name() -> None:
    assert link("Threads/a/Untitled", "[[]]") == "[[Threads/a/Untitled|Untitled]]"
