"""Sources as a person handles them: added, read, paused, moved, removed; and which addresses are their own."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import HeedfulError, RejectedError, UserCanFixError
from heedful.core.events import Event, MemoryGrew, SourceProgressed, SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory import Library
from heedful.memory.messages import sources_store
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import MONDAY, rows


@pytest.fixture
def library(store: Store, bus: Bus, clock: FakeClock) -> Library:
    return Library(store, bus, clock)


@pytest.fixture
async def heard(bus: Bus) -> AsyncIterator[list[Event]]:
    events: list[Event] = []
    stop = bus.subscribe(Event, events.append)
    yield events
    stop()


def row(number: int, **changes: object) -> dict[str, object]:
    plain: dict[str, object] = {
        "id": f"m{number}",
        "thread": f"t{number}",
        "thread_title": "A word",
        "author": {"name": "Ana Lopes", "address": "ana@ciclone.example"},
        "to": [{"name": "Rui Prado", "address": "rui@prado.example"}],
        "sent_at": (MONDAY + timedelta(minutes=number)).isoformat(),
        "subject": "A word",
        "text": f"Message number {number}.",
        "reply_to": None,
        "from_me": False,
        "channel": "email",
    }
    return plain | changes


def export(file: Path, *rows_: dict[str, object]) -> Path:
    file.write_text("".join(json.dumps(one) + "\n" for one in rows_), encoding="utf-8")
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return export(tmp_path / "chat.messages.jsonl", row(1), row(2), row(3))


def moved_to(place: Path, file: Path) -> Path:
    return file.rename(place)


async def state(library: Library) -> str:
    (only,) = await library.sources()
    return only.state


async def test_a_source_is_added_once_and_read_from_where_it_was_left(library: Library, file: Path) -> None:
    source_id = await library.add(file)
    assert await library.add(file) == source_id
    assert (await library.sync(source_id)).intake.new == 3
    export(file, row(1), row(2), row(3), row(4))
    again = await library.sync(source_id)
    assert (again.intake.new, again.intake.edited) == (1, 0)
    (only,) = await library.sources()
    assert (only.messages, only.state, only.name, only.kind) == (4, "active", file.name, "messages_jsonl")
    assert only.last_sync_at is not None


async def test_reading_tells_progress_growth_and_change_each_after_its_commit(
    library: Library, file: Path, heard: list[Event], store: Store
) -> None:
    source_id = await library.add(file)
    heard.clear()
    seen: list[int] = []
    await library.sync(
        source_id,
        progress=lambda _: seen.append(store.read_now(lambda c: len(c.rows("SELECT 1 FROM messages")))),
    )
    kinds = [type(event) for event in heard]
    assert kinds == [MemoryGrew, SourceProgressed, SourcesChanged]
    assert heard[0] == MemoryGrew(source_id, 3)
    assert seen == [3]


async def test_progress_counts_messages_also_of_a_source_that_is_read_by_its_bytes(
    library: Library, file: Path, heard: list[Event]
) -> None:
    source_id = await library.add(file)
    await library.sync(source_id)
    export(file, row(1), row(2), row(3), row(4), row(5))
    await library.sync(source_id)
    told = [event for event in heard if isinstance(event, SourceProgressed)]
    assert told == [SourceProgressed(source_id, 3, 3, 0), SourceProgressed(source_id, 5, 5, 0)]


async def test_of_a_source_that_is_read_in_part_progress_tells_about_how_many_messages_there_are(
    library: Library, tmp_path: Path, heard: list[Event]
) -> None:
    file = export(tmp_path / "long.messages.jsonl", *(row(number) for number in range(1000, 1500)))
    await library.sync(await library.add(file))
    told = [event for event in heard if isinstance(event, SourceProgressed)]
    assert [event.done for event in told] == [200, 400, 500]
    assert all(event.total is not None and 490 <= event.total <= 510 for event in told)


async def test_of_a_file_that_was_written_anew_what_was_held_is_not_counted_twice(
    library: Library, tmp_path: Path, heard: list[Event]
) -> None:
    file = export(tmp_path / "long.messages.jsonl", *(row(number) for number in range(1000, 1500)))
    source_id = await library.add(file)
    await library.sync(source_id)
    heard.clear()
    export(tmp_path / "fresh", *(row(number) for number in range(1050, 1500))).replace(file)
    await library.sync(source_id)
    told = [(event.done, event.total) for event in heard if isinstance(event, SourceProgressed)]
    assert [total for _, total in told] == [500, 500, 500]
    assert [done for done, _ in told] == [pytest.approx(222, abs=5), pytest.approx(444, abs=5), 500]


async def test_two_readings_at_once_wait_for_each_other_and_bring_nothing_twice(
    library: Library, file: Path
) -> None:
    source_id = await library.add(file)
    reports = await asyncio.gather(*(library.sync(source_id) for _ in range(3)))
    assert sum(report.intake.new for report in reports) == 3


async def test_a_moved_file_is_told_and_found_again_at_its_new_place(
    library: Library, file: Path, tmp_path: Path
) -> None:
    source_id = await library.add(file)
    await library.sync(source_id)
    moved = moved_to(tmp_path / "moved.messages.jsonl", file)
    with pytest.raises(UserCanFixError, match="no longer there"):
        await library.sync(source_id)
    (only,) = await library.sources()
    assert only.state == "error"
    assert only.error is not None
    assert "Choose it again" in only.error
    await library.relocate(source_id, moved)
    export(moved, row(1), row(2), row(3), row(4))
    assert (await library.sync(source_id)).intake.new == 1
    assert await state(library) == "active"


async def test_a_failed_reading_does_not_end_a_pause(library: Library, file: Path) -> None:
    source_id = await library.add(file)
    await library.pause(source_id)
    moved_to(file.with_name("elsewhere"), file)
    with pytest.raises(UserCanFixError):
        await library.sync(source_id)
    assert await state(library) == "paused"


async def test_a_paused_source_rests_until_it_is_resumed(
    library: Library, file: Path, heard: list[Event]
) -> None:
    source_id = await library.add(file)
    heard.clear()
    await library.pause(source_id)
    assert await state(library) == "paused"
    await library.resume(source_id)
    assert await state(library) == "active"
    assert heard == [SourcesChanged(source_id)] * 2


async def test_the_switch_that_keeps_a_source_here_is_kept(library: Library, file: Path) -> None:
    source_id = await library.add(file)
    await library.set_egress(source_id, "local-only")
    (only,) = await library.sources()
    assert only.egress == "local-only"


async def test_removing_a_source_removes_what_only_it_brought(
    library: Library, file: Path, tmp_path: Path
) -> None:
    first, second = await library.add(file), await library.add(export(tmp_path / "b.messages.jsonl", row(9)))
    await library.sync(first)
    await library.sync(second)
    assert await library.remove(first) == 3
    assert [one.id for one in await library.sources()] == [second]


async def test_a_source_removed_while_it_is_read_ends_the_reading_with_a_sentence(
    library: Library, tmp_path: Path, store: Store
) -> None:
    file = export(tmp_path / "long.messages.jsonl", *(row(number) for number in range(700)))
    source_id = await library.add(file)
    removal: list[asyncio.Task[int]] = []

    def remove_once(_: SourceProgressed) -> None:
        if not removal:
            removal.append(asyncio.ensure_future(library.remove(source_id)))

    with pytest.raises(RejectedError, match="no such source"):
        await library.sync(source_id, progress=remove_once)
    await asyncio.gather(*removal)
    assert await rows(store, "SELECT count(*) FROM messages") == [(0,)]


async def test_a_reading_that_is_cancelled_goes_on_from_its_last_batch(
    library: Library, tmp_path: Path, store: Store
) -> None:
    file = export(tmp_path / "long.messages.jsonl", *(row(number) for number in range(900)))
    source_id = await library.add(file)
    reading: asyncio.Task[object] | None = None

    def stop_it(_: SourceProgressed) -> None:
        assert reading is not None
        reading.cancel()

    reading = asyncio.ensure_future(library.sync(source_id, progress=stop_it))
    with pytest.raises(asyncio.CancelledError):
        await reading
    kept = int(str((await rows(store, "SELECT count(*) FROM messages"))[0][0]))
    assert 0 < kept < 900
    report = await library.sync(source_id)
    assert report.intake.new + kept == 900
    assert await rows(store, "SELECT count(*) FROM messages") == [(900,)]


async def test_what_could_not_be_read_is_listed_and_stops_nothing(library: Library, tmp_path: Path) -> None:
    file = export(tmp_path / "odd.messages.jsonl", row(1), row(2, surprise=True), row(3))
    source_id = await library.add(file)
    report = await library.sync(source_id)
    assert report.intake.new == 2
    assert len(report.rejected) == 1
    assert await library.rejects(source_id) == report.rejected
    assert "surprise" in report.rejected[0].reason


@pytest.mark.parametrize("call", ["sync", "pause", "resume", "relocate"])
async def test_an_unknown_source_is_told_in_a_sentence(library: Library, call: str, tmp_path: Path) -> None:
    gone = SourceId("gone")
    with pytest.raises(RejectedError, match="no such source"):
        await (library.relocate(gone, tmp_path) if call == "relocate" else getattr(library, call)(gone))


async def test_a_path_that_is_not_there_or_of_no_known_kind_adds_nothing(
    library: Library, tmp_path: Path
) -> None:
    with pytest.raises(UserCanFixError, match="There is nothing at"):
        await library.add(tmp_path / "nowhere")
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(RejectedError, match=r"can't tell what cat\.png is"):
        await library.add(picture)
    with pytest.raises(RejectedError, match="no kind of source called fax"):
        await library.add(picture, kind="fax")
    assert await library.sources() == ()


async def test_a_name_that_is_no_text_is_told_instead_of_breaking_the_store(
    library: Library, tmp_path: Path
) -> None:
    odd = tmp_path / "caf\udce9"
    try:
        odd.mkdir()
    except (OSError, UnicodeError):
        pytest.skip("this file system takes no such name")
    with pytest.raises(HeedfulError, match="not readable text"):
        await library.add(odd)


async def test_an_address_is_inferred_from_the_mail_and_a_word_of_the_persons_is_final(
    library: Library, tmp_path: Path
) -> None:
    file = export(tmp_path / "mail.messages.jsonl", *(row(number) for number in range(20)))
    source_id = await library.add(file)
    await library.sync(source_id)
    (inferred,) = await library.own_addresses()
    assert (inferred.address, inferred.origin) == ("rui@prado.example", "inferred")
    assert inferred.uses == 20
    await library.refuse_address("Rui@Prado.example")
    await library.state_address(" rui.prado@work.example ")
    export(file, *(row(number) for number in range(25)))
    await library.sync(source_id)
    known = {own.address: own.origin for own in await library.own_addresses()}
    assert known == {"rui@prado.example": "refused", "rui.prado@work.example": "stated"}


@pytest.mark.parametrize(
    ("list_id", "own"), [("friends.prado.example", []), ("weekly.shop.example", ["friends@prado.example"])]
)
async def test_an_address_that_its_mail_names_as_a_list_is_not_the_persons(
    library: Library, tmp_path: Path, list_id: str, own: list[str]
) -> None:
    friends = [{"name": "Friends", "address": "friends@prado.example"}]
    rows_ = (row(number, traits={"list_id": list_id}, to=friends) for number in range(20))
    await library.sync(await library.add(export(tmp_path / "mail.messages.jsonl", *rows_)))
    assert [one.address for one in await library.own_addresses()] == own


@pytest.mark.parametrize("text", ["", "rui", "@", "rui@", "@prado.example", "rui prado@x.example"])
async def test_what_is_no_address_is_not_taken_for_one(library: Library, text: str) -> None:
    with pytest.raises(RejectedError, match="not a mail address"):
        await library.state_address(text)


async def test_the_cursor_of_a_source_is_as_its_last_batch_left_it(
    library: Library, file: Path, store: Store
) -> None:
    source_id = await library.add(file)
    assert await store.read(lambda connection: sources_store.cursor_of(connection, source_id)) == ""
    await library.sync(source_id)
    assert await store.read(lambda connection: sources_store.cursor_of(connection, source_id)) != ""
