"""What a person edits, deletes or moves where it came from: the memory follows, and what was decided stays decided."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.ids import SourceId
from heedful.memory import Library
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import everything, put_item, put_traces, settle, stored
from tests.memory.incoming import MONDAY, do, rows
from tests.memory.source_families import FAMILIES, Family, Notes, Telegram
from tests.memory.workshop import tools_of

CANARY = "zquorkab"
TEXTS = {
    "one": "The garden is green in May.",
    "two": f"Could you please send the {CANARY} report to Bruno?",
    "three": "The fence is painted white.",
}
MESSAGES = "SELECT id, external_id, text FROM messages ORDER BY seq"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MONDAY)


@pytest.fixture
def library(store: Store, bus: Bus, clock: FakeClock) -> Library:
    return Library(store, bus, clock)


@pytest.fixture(params=FAMILIES, ids=lambda family: family.__name__.lower())
def family(request: pytest.FixtureRequest, tmp_path: Path) -> Family:
    made: Family = request.param(tmp_path)
    made.write(TEXTS)
    return made


async def read(library: Library, family: Family) -> SourceId:
    source_id = await library.add(family.place)
    await library.sync(source_id)
    return source_id


async def read_again(library: Library, source_id: SourceId, store: Store, clock: FakeClock) -> None:
    """A later reading, and what it asks the queue for."""
    clock.advance(timedelta(minutes=5))
    await library.sync(source_id)
    settled = await Worker(tools_of(store, clock), lambda: {"reconcile": job_kinds()["reconcile"]}).settle()
    assert (settled.failed, settled.deferred) == (0, 0)


async def external_id(store: Store, words: str) -> str:
    found = await rows(store, f"SELECT external_id FROM messages WHERE instr(text, '{words}')")
    return str(found[0][0])


async def test_an_edited_text_is_the_same_message_with_its_new_words_only(
    library: Library, family: Family, store: Store, clock: FakeClock
) -> None:
    source_id = await read(library, family)
    before = [row[:2] for row in await rows(store, MESSAGES)]
    family.write(TEXTS | {"two": "Could you please send the summary to Bruno?"})
    await read_again(library, source_id, store, clock)
    after = await rows(store, MESSAGES)
    assert [row[:2] for row in after] == before
    assert "summary" in str(after)
    assert CANARY not in str(after)


async def test_a_deleted_text_leaves_no_word_and_nothing_else_goes(
    library: Library, family: Family, store: Store, clock: FakeClock
) -> None:
    source_id = await read(library, family)
    await settle(store, clock)
    secret = await stored(store, await external_id(store, CANARY))
    await do(store, lambda c: put_item(c, "i1", f"Send the {CANARY} report", secret))
    await do(store, lambda c: put_traces(c, secret))
    family.write({key: text for key, text in TEXTS.items() if key != "two"})
    await read_again(library, source_id, store, clock)
    await settle(store, clock)
    assert CANARY not in await everything(store)
    kept = str(await rows(store, MESSAGES))
    assert "garden" in kept
    assert "fence" in kept
    assert await rows(store, "SELECT id FROM actionables") == []


async def test_a_moved_text_keeps_its_items_and_what_was_decided_on_them(
    library: Library, family: Family, store: Store, clock: FakeClock
) -> None:
    source_id = await read(library, family)
    moved = await stored(store, await external_id(store, CANARY))
    await do(store, lambda c: put_item(c, "i1", "Send the report", moved, state="snoozed"))
    family.shift(TEXTS, "two")
    if not family.place.is_dir():
        await library.relocate(source_id, family.place)
    await read_again(library, source_id, store, clock)
    assert await rows(store, "SELECT count(*) FROM messages") == [(3,)]
    assert await rows(store, "SELECT state FROM actionables") == [("snoozed",)]
    (evidence,) = await rows(store, "SELECT message_id, chunk_id, quote FROM actionable_evidence")
    again = await stored(store, await external_id(store, CANARY))
    assert evidence == (again.id, again.chunks[0].id, moved.text)
    if not isinstance(family, Notes):
        assert again.id == moved.id


async def test_an_export_of_less_takes_nothing_from_what_it_does_not_speak_of(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    export = Telegram(tmp_path)
    export.write(TEXTS)
    source_id = await read(library, export)
    export.write({"three": TEXTS["three"]})
    await read_again(library, source_id, store, clock)
    assert len(await rows(store, MESSAGES)) == 3


async def test_a_note_under_another_name_is_not_asked_about_again(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    notes = Notes(tmp_path)
    notes.write(TEXTS)
    source_id = await read(library, notes)
    note = await stored(store, "two.md")
    await do(store, lambda c: put_item(c, "i1", f"Send the {CANARY} report", note, state="dismissed"))
    notes.shift(TEXTS, "two")
    await read_again(library, source_id, store, clock)
    assert await rows(store, "SELECT id, state, title FROM actionables") == [
        ("i1", "dismissed", f"Send the {CANARY} report")
    ]


def exported(folder: Path, owner: int, *texts: str) -> Path:
    """All that an account of Telegram exported: a chat with the same person in each, and its own numbers."""
    messages = [
        {
            "id": number,
            "type": "message",
            "date_unixtime": str(1796115600 + 60 * owner + number),
            "date": "2026-12-01T10:00:00",
            "from": "Ana Prado",
            "from_id": "user7",
            "text": text,
        }
        for number, text in enumerate(texts)
    ]
    chat = {"name": "Ana Prado", "type": "personal_chat", "id": 7, "messages": messages}
    folder.mkdir()
    (folder / "result.json").write_text(
        json.dumps({"personal_information": {"user_id": owner}, "chats": {"list": [chat]}})
    )
    return folder


async def test_two_accounts_that_write_with_one_person_keep_their_messages_apart(
    library: Library, store: Store, tmp_path: Path
) -> None:
    for place, owner, texts in (
        ("work", 8, ["Bring the keys.", "Bring the boat."]),
        ("own", 9, ["Water the plants.", "Feed the cat."]),
        ("own (2)", 9, ["Water the plants.", "Feed the cat.", "Come back."]),
    ):
        await library.sync(await library.add(exported(tmp_path / place, owner, *texts)))
    assert [text for _, _, text in await rows(store, MESSAGES)] == [
        "Bring the keys.",
        "Bring the boat.",
        "Water the plants.",
        "Feed the cat.",
        "Come back.",
    ]
    assert await rows(store, "SELECT title, messages FROM threads") == [("Ana Prado", 5)]
