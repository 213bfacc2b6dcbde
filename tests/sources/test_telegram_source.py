"""Telegram exports, of one chat and of everything."""

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.errors import RejectedError
from heedful.sources import Incoming
from heedful.sources.json_stream import JsonDamageError, JsonStream
from heedful.sources.telegram import SOURCE
from tests.fakes.clock import FakeClock
from tests.sources.letters import batches, items, of_kind, rejected


def message(number: int, text: object = "Can you bring the keys?", **fields: object) -> dict[str, object]:
    return {
        "id": number,
        "type": "message",
        "date": "2026-12-01T10:00:00",
        "date_unixtime": "1796115600",
        "from": "Ana Prado",
        "from_id": "user7",
        "text": text,
        **fields,
    }


def chat(*messages: object, **fields: object) -> dict[str, object]:
    return {"name": "Rowers", "type": "private_group", "id": 42, **fields, "messages": list(messages)}


def export(*chats: dict[str, object]) -> dict[str, object]:
    owner = {"user_id": 9, "first_name": "Bo"}
    return {"about": "…", "personal_information": owner, "chats": {"about": "…", "list": list(chats)}}


def read(data: object, folder: Path, clock: FakeClock) -> list[Incoming]:
    path = folder / "result.json"
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1))
    return items(batches(SOURCE, path, clock))


def test_a_message_is_read_with_its_author_and_its_time(tmp_path: Path, clock: FakeClock) -> None:
    (found,) = read(chat(message(5)), tmp_path, clock)

    assert (found.external_id, found.identity, found.thread_key) == ("42:5", "tg:42:5@1796115600", "tg:42")
    assert (found.author.name, found.thread_title, found.channel) == ("Ana Prado", "Rowers", "telegram")
    assert found.sent_at == datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
    assert found.sent_at.utcoffset() == timedelta(hours=1)
    assert of_kind(found, "new") == found.text == "Can you bring the keys?"


def test_text_in_pieces_is_joined(tmp_path: Path, clock: FakeClock) -> None:
    pieces = [
        "See ",
        {"type": "link", "text": "https://rowers.example"},
        " – ",
        {"type": "bold", "text": "today"},
    ]

    (found,) = read(chat(message(1, pieces)), tmp_path, clock)

    assert found.text == "See https://rowers.example – today"


def test_service_notes_are_skipped_and_replies_and_forwards_are_known(
    tmp_path: Path, clock: FakeClock
) -> None:
    found = read(
        chat(
            {"id": 1, "type": "service", "action": "join_group_by_link"},
            message(2, reply_to_message_id=1),
            message(3, forwarded_from="Caio Reis"),
            message(4, "", photo="photos/boat.jpg"),
        ),
        tmp_path,
        clock,
    )

    assert [item.external_id for item in found] == ["42:2", "42:3", "42:4"]
    assert found[0].reply_to == "42:1"
    assert of_kind(found[1], "forwarded") == found[1].text
    assert found[2].traits.attachments == ("boat.jpg",)


def test_a_full_export_knows_what_its_owner_wrote(tmp_path: Path, clock: FakeClock) -> None:
    mine = message(2, **{"from": "Bo Lind", "from_id": "user9"})

    found = read(export(chat(message(1), mine), chat(message(1), id=43)), tmp_path, clock)

    assert [(item.external_id, item.from_me) for item in found] == [
        ("42:1", False),
        ("42:2", True),
        ("43:1", False),
    ]


@pytest.mark.parametrize("kind", ["personal_chat", "bot_chat", "private_group", "saved_messages"])
def test_where_each_account_numbers_its_own_messages_those_of_two_accounts_are_told_apart(
    tmp_path: Path, clock: FakeClock, kind: str
) -> None:
    (here,) = read(chat(message(5), type=kind), tmp_path, clock)
    (again,) = read(export(chat(message(5, "Edited since."), type=kind)), tmp_path, clock)
    (there,) = read(chat(message(5, date_unixtime="1796115777"), type=kind), tmp_path, clock)

    assert here.identity == again.identity != there.identity
    assert here.external_id == again.external_id == there.external_id


@pytest.mark.parametrize("kind", ["private_supergroup", "public_supergroup", "private_channel"])
def test_a_number_that_is_the_same_for_all_names_one_message(
    tmp_path: Path, clock: FakeClock, kind: str
) -> None:
    (found,) = read(chat(message(5), type=kind), tmp_path, clock)

    assert found.identity == "tg:42:5"


def test_an_export_with_local_times_alone_names_its_messages_by_them(
    tmp_path: Path, clock: FakeClock
) -> None:
    first, second = read(
        chat(message(5, date_unixtime=None), message(5, date_unixtime=None, date="2026-12-01T10:00:01")),
        tmp_path,
        clock,
    )

    assert first.identity == "tg:42:5@2026-12-01T10:00:00" != second.identity


def test_in_a_chat_of_two_the_one_who_is_not_the_other_is_the_person(
    tmp_path: Path, clock: FakeClock
) -> None:
    mine = message(1, **{"from": "Bo Lind", "from_id": "user9"})
    two = chat(mine, message(2), name="Ana Prado", type="personal_chat", id=7)

    assert [item.from_me for item in read(two, tmp_path, clock)] == [True, False]


def test_an_export_whose_keys_were_sorted_keeps_its_names(tmp_path: Path, clock: FakeClock) -> None:
    data = json.loads(json.dumps(export(chat(message(1)), chat(message(2), name="Choir")), sort_keys=True))

    assert [item.thread_title for item in read(data, tmp_path, clock)] == ["Rowers", "Choir"]


@pytest.mark.parametrize(
    ("answers", "text"),
    [([{"text": "Yes"}, 7], "Row today?\n- Yes"), (None, "Row today?"), (5, "Row today?")],
)
def test_a_poll_is_read_whatever_stands_for_its_answers(
    tmp_path: Path, clock: FakeClock, answers: object, text: str
) -> None:
    (found,) = read(
        chat(message(1, "", poll={"question": "Row today?", "answers": answers})), tmp_path, clock
    )

    assert found.text == text


def test_a_bad_entry_is_listed_and_the_rest_is_read(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat(7, message(1), {"type": "message", "id": 2}, message(3))))

    found = batches(SOURCE, path, clock)

    assert [item.external_id for item in items(found)] == ["42:1", "42:3"]
    assert len(rejected(found)) == 2


@pytest.mark.parametrize(
    "clocks",
    [
        {"date": "9999-12-31T23:59:59", "date_unixtime": "253402300799"},
        {"date": "0001-01-01T00:00:00", "date_unixtime": None},
        {"date": "2026-12-01T10:00:00", "date_unixtime": "253402300799"},
    ],
)
def test_a_moment_that_no_other_zone_can_tell_is_none(
    tmp_path: Path, clock: FakeClock, clocks: dict[str, object]
) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat(message(1), message(2, **clocks))))
    assert len(rejected(batches(SOURCE, path, clock))) == 1


def test_an_export_that_was_cut_off_gives_what_came_before(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "result.json"
    whole = json.dumps(chat(message(1), message(2)))
    path.write_text(whole[: whole.index('"id": 2')])

    found = batches(SOURCE, path, clock)

    assert [item.external_id for item in items(found)] == ["42:1"]
    assert [bad.place for bad in rejected(found)] == ["after message 1"]


def test_a_file_is_read_once_and_continued_after_an_interruption(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat(*(message(n) for n in range(450)))))
    found = batches(SOURCE, tmp_path, clock)
    assert [len(batch.items) for batch in found] == [200, 200, 50]

    assert batches(SOURCE, tmp_path, clock, found[-1].cursor) == []
    assert len(items(batches(SOURCE, tmp_path, clock, found[0].cursor))) == 250


def test_other_json_is_refused(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "result.json"
    path.write_text('{"messages": [{"id": 1}]}')

    assert SOURCE.fits(path) == 0
    with pytest.raises(RejectedError):
        batches(SOURCE, path, clock)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(JSON, max_size=6), st.integers(1, 7))
def test_a_stream_gives_what_the_whole_text_holds(values: list[Any], block: int) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or block, block) if size != -1 else -1)

    stream = JsonStream(Slow(json.dumps(values, ensure_ascii=False).encode()))

    assert [stream.value() for _ in stream.elements()] == values


@given(st.binary(max_size=60))
def test_noise_is_damage_and_nothing_else(noise: bytes) -> None:
    stream = JsonStream(io.BytesIO(b'{"a":' + noise))
    try:
        for _ in stream.members():
            stream.value()
    except JsonDamageError:
        pass
