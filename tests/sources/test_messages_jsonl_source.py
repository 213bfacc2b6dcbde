"""The generic import format."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.sources import Incoming, Person, Rejected, Traits
from heedful.sources.messages_jsonl import SOURCE, read_line
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.sources.letters import batches, items, of_kind, rejected


def record(number: int = 1, **fields: object) -> dict[str, object]:
    return {
        "id": str(number),
        "thread": "t",
        "thread_title": "Boats",
        "author": {"name": "Ana Prado", "address": "Ana@prado.example"},
        "to": [{"name": "Bo Lind", "address": "bo@lind.example"}],
        "sent_at": "2026-11-30T09:00:00+01:00",
        "subject": "Boats",
        "text": "Could you book it?\n\n> old",
        "reply_to": None,
        "from_me": False,
        "channel": "email",
        **fields,
    }


def line(number: int = 1, **fields: object) -> str:
    return json.dumps(record(number, **fields)) + "\n"


def read(text: str) -> Incoming | Rejected:
    return read_line(text.encode(), number=7)


def test_a_line_is_a_message() -> None:
    found = read(line())

    assert isinstance(found, Incoming)
    assert found.author == Person("Ana Prado", "ana@prado.example")
    assert found.sent_at.utcoffset() == timedelta(hours=1)
    assert (found.external_id, found.thread_key, found.thread_title) == ("1", "t", "Boats")
    assert found.from_me is False
    assert of_kind(found, "quoted") == "> old"


def test_a_line_may_say_which_message_it_is_wherever_it_is_met() -> None:
    named, other = read(line(identity="mid:1@prado.example")), read(line(identity=None))

    assert isinstance(named, Incoming)
    assert isinstance(other, Incoming)
    assert named.identity == "mid:1@prado.example"
    assert other.identity.startswith("jsonl:")


def test_a_chat_message_is_all_new() -> None:
    found = read(line(channel="slack"))

    assert isinstance(found, Incoming)
    assert of_kind(found, "new") == found.text


def test_what_an_envelope_said_is_taken_from_the_line_where_it_says_so() -> None:
    cc, traits = [{"name": "Bo", "address": "BO@lind.example"}], {"bulk": True, "attachments": ["a.pdf"]}
    copied = read(line(channel="email", cc=cc, traits=traits))
    assert isinstance(copied, Incoming)
    assert copied.cc == (Person("Bo", "bo@lind.example"),)
    assert copied.traits == Traits(bulk=True, attachments=("a.pdf",))
    sender = {"name": "", "address": "no-reply@shop.example"}
    for told, automatic in (({}, False), ({"automatic": True}, True), (None, True)):
        found = read(line(channel="email", author=sender, traits=told))
        assert isinstance(found, Incoming)
        assert found.traits.automatic is automatic


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"colour": "red"}, "unknown field: colour"),
        ({"sent_at": "2026-11-30T09:00:00"}, "no offset"),
        ({"sent_at": "yesterday"}, "no time"),
        ({"sent_at": None}, "no sent_at"),
        ({"sent_at": "9999-12-31T23:59:59-14:00"}, "ends"),
        ({"sent_at": "0001-01-01T00:00:00+14:00"}, "ends"),
        ({"id": ""}, "no id"),
        ({"id": True}, "wrong type"),
        ({"text": None}, "wrong type"),
        ({"from_me": "yes"}, "wrong type"),
        ({"author": {"name": "Ana", "phone": "1"}}, "more than name and address"),
        ({"to": ["bo@lind.example"]}, "more than name and address"),
        ({"cc": ["bo@lind.example"]}, "more than name and address"),
        ({"traits": ["bulk"]}, "wrong type"),
        ({"traits": {"colour": "red"}}, "traits has no colour"),
        ({"traits": {"bulk": "yes"}}, "traits has no bulk, or one of another type"),
        ({"traits": {"attachments": [1]}}, "attachment"),
    ],
)
def test_a_line_that_breaks_the_format_is_refused_with_its_number(
    fields: dict[str, object], reason: str
) -> None:
    found = read(json.dumps(record() | fields))

    assert isinstance(found, Rejected)
    assert found.place == "line 7"
    assert reason in found.reason


def test_an_id_may_stand_once_in_a_file_even_across_reads(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "a.messages.jsonl"
    path.write_text(line(1) + "\n" + line(1, text="Again") + "oops\n" + line(2))
    first = batches(SOURCE, path, clock)
    assert [item.external_id for item in items(first)] == ["1", "2"]
    assert [bad.place for bad in rejected(first)] == ["line 3", "line 4"]

    with path.open("a") as file:
        file.write(line(2) + line(3))

    second = batches(SOURCE, path, clock, first[-1].cursor)
    assert [item.external_id for item in items(second)] == ["3"]
    assert [bad.place for bad in rejected(second)] == ["line 6"]


def test_equal_exports_meet_and_different_ones_with_equal_ids_do_not() -> None:
    mine, again, other = read(line()), read(line()), read(line(text="Something else"))

    assert isinstance(mine, Incoming)
    assert isinstance(again, Incoming)
    assert isinstance(other, Incoming)
    assert mine.identity == again.identity != other.identity


def test_a_rewritten_file_is_read_again(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "a.messages.jsonl"
    path.write_text(line(1) + line(2))
    cursor = batches(SOURCE, path, clock)[-1].cursor
    assert batches(SOURCE, path, clock, cursor) == []

    path.write_text(line(3) + line(1) + line(2))

    assert [item.external_id for item in items(batches(SOURCE, path, clock, cursor))] == ["3", "1", "2"]


@given(st.binary(max_size=100))
def test_no_line_raises(noise: bytes) -> None:
    assert isinstance(read_line(noise, number=1), Incoming | Rejected)


@given(data=st.data())
def test_read_in_two_parts_is_read_at_once(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("parts") / "a.messages.jsonl"
    whole = "".join(line(number) for number in range(data.draw(st.integers(1, 4)))).encode()
    cut = data.draw(st.integers(0, len(whole)))
    clock = FakeClock(NOW)

    path.write_bytes(whole[:cut])
    first = batches(SOURCE, path, clock)
    path.write_bytes(whole)
    second = batches(SOURCE, path, clock, first[-1].cursor if first else "")

    parts = {item.external_id: item for item in [*items(first), *items(second)]}
    assert list(parts.values()) == items(batches(SOURCE, path, clock))


def test_a_line_in_another_encoding_says_so() -> None:
    told = read_line('{"text": "Grüße"}'.encode("latin-1"), number=3)
    assert isinstance(told, Rejected)
    assert (told.place, told.reason) == ("line 3", "It is not UTF-8 text.")
