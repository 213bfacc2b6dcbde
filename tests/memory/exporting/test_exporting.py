"""An export is a vault whose links lead somewhere, and files that bring everything back."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.bus import Bus
from heedful.core.errors import UserCanFixError
from heedful.core.paths import home_at
from heedful.memory import Library
from heedful.memory.exporting.folder import LIST, ExportFolder, read_in_again
from heedful.memory.exporting.vault import Exported, export
from heedful.sources import Person, Traits
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import settle, stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, event, rows, take
from tests.memory.reading_along import mail

CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTART:20261201T090000Z\r\n"
    "DTEND:20261201T100000Z\r\nSUMMARY:Team sync\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


async def exported(store: Store, folder: Path, clock: FakeClock, *items: dict[str, object]) -> Exported:
    return await store.read(
        lambda c: export(c, folder, items=items, sources=[], now=clock.now(), zone=clock.zone)
    )


def notes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).with_suffix("").as_posix(): file.read_text(encoding="utf-8")
        for file in folder.rglob("*.md")
    }


def messages(folder: Path) -> list[dict[str, object]]:
    (file,) = (folder / "messages").iterdir()
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def test_what_was_exported_comes_back_the_same(
    store: Store, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    await take(
        store, A,
        mail(1, "First.\n\nWith “quotes”, ümlauts and\ttabs.", thread_key="t"),
        mail(2, "Second", thread_key="t", author=RUI, to=(ANA,), reply_to="x1", subject="Re: A word"),
        mail(3, "", author=Person("", "")),
        mail(4, "An own thread", cc=(Person("Eva", "eva@ciclone.example"),), from_me=True),
        mail(5, "To all", traits=Traits("rowers.club.example", bulk=True, automatic=True, attachments=("a.pdf",))),
        mail(6, "Come", traits=Traits(delivered_to="ana@prado.example", sent_folder=True, invitation="REQUEST")),
    )  # fmt: skip
    first, second = tmp_path / "first", tmp_path / "second"
    assert (await exported(store, first, clock)).messages == 6
    other = Store.open(home_at(tmp_path / "other"), key, Bus())
    try:
        library = Library(other, Bus(), clock)
        (file,) = (first / "messages").iterdir()
        report = await library.sync(await library.add(file, watched=False))
        await exported(other, second, clock)
        kept = [
            [await rows(one, f"SELECT {what} ORDER BY message_seq") for one in (store, other)]
            for what in (
                "seq AS message_seq, traits FROM messages",
                "message_seq, role, place, name, address FROM recipients JOIN participants p ON p.id = participant_id",
            )
        ]
    finally:
        other.close()
    assert (report.intake.new, report.rejected) == (6, ())
    assert all(before == after for before, after in kept)
    assert [row["cc"] for row in messages(first)].count([]) == 5
    volatile = {"thread", "from_me"}  # ids of threads are made per source; whose a mail is, is worked out
    assert [{k: v for k, v in row.items() if k not in volatile} for row in messages(second)] == [
        {k: v for k, v in row.items() if k not in volatile} for row in messages(first)
    ]
    grouped = [[row["thread"] for row in messages(folder)] for folder in (first, second)]
    assert [one.index(thread) for one in grouped for thread in one] == [0, 0, 2, 3, 4, 5] * 2


async def test_an_answer_keeps_its_threads_title_though_the_thread_began_in_another_source(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    await take(store, A, mail(1, "Shall we?", thread_key="t", thread_title="Garden"))
    await take(store, B, mail(2, "Yes.", thread_key="t", thread_title="", subject=""))
    await exported(store, tmp_path / "vault", clock)
    lines = [json.loads(file.read_text(encoding="utf-8")) for file in (tmp_path / "vault/messages").iterdir()]
    assert [line["thread_title"] for line in lines] == ["Garden", "Garden"]


async def test_events_come_back_from_their_calendar_files(
    store: Store, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    await take(store, A, event(1, MONDAY, raw=CALENDAR))
    folder = tmp_path / "vault"
    done = await exported(store, folder, clock)
    assert (done.messages, done.events) == (0, 1)
    assert not (folder / "messages").exists()
    (file,) = (folder / "calendars").rglob("*.ics")
    other = Store.open(home_at(tmp_path / "other"), key, Bus())
    try:
        library = Library(other, Bus(), clock)
        await library.sync(await library.add(file, watched=False))
        assert await rows(other, "SELECT kind FROM messages") == [("event",)]
    finally:
        other.close()


async def test_every_link_of_the_vault_leads_to_a_note(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    title = "What [[is]] this|that #1?"
    await take(store, A, mail(1, "Hello", subject=title, thread_title=title))
    await take(store, B, mail(2, "Hello", author=RUI), mail(3, "Hello again", author=Person("CON", "")))
    await settle(store, clock)
    message = await stored(store, "x1")
    item: dict[str, object] = {
        "title": "Answer Ana",
        "state": "active",
        "evidence": [{"thread_id": message.thread_id}],
    }
    await exported(store, tmp_path / "vault", clock, item)
    vault = notes(tmp_path / "vault")
    links = [link for text in vault.values() for link in re.findall(r"\[\[([^\]|]+)", text)]
    assert len(links) >= 10
    assert set(links) <= set(vault)
    assert "Threads/a/What is this that 1" in vault
    assert "[ ] Answer Ana (active) [[Threads/a/" in vault["Items"]


async def test_front_matter_is_closed_and_each_value_is_yaml(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    await take(store, A, mail(1, "Hello", thread_title='A "word": --- and\n more'))
    await exported(store, tmp_path / "vault", clock)
    told = notes(tmp_path / "vault").values()
    assert len(told) > 2
    for text in told:
        opening, front, _ = text.split("---\n", 2)
        assert opening == ""
        for line in front.splitlines():
            json.loads(line.partition(": ")[2])


async def test_what_others_wrote_does_nothing_in_the_vault(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    hostile = "---\nevil: 1\n---\n# Head\n![[Secrets]] <script>x</script>\n```dataviewjs\nx\n```\n<%* tp %>"
    await take(
        store,
        A,
        mail(
            1,
            hostile,
            subject="<b>[[x]]</b>",
            thread_title="`=x` <b>",
            author=Person("`=x`", "m@ciclone.example"),
        ),
    )
    await exported(store, tmp_path / "vault", clock)
    text = "\n".join(notes(tmp_path / "vault").values())
    for live in ("![[", "<script", "<b>", "```", "<%", "\n# Head", "\nevil"):
        assert live not in text
    assert not re.search(r"(?<!\\)`", re.sub(r"---\n.*?---\n", "", text, flags=re.DOTALL))


async def test_a_picture_a_link_or_a_tag_in_what_others_wrote_stays_text(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    live = (
        "See ![x](https://pixel.example/1.png) or [this](obsidian://y), [!danger] #tagged\n[z]: https://z.example\n"
        r"\![x](https://pixel.example/3.png) !\[x](https://pixel.example/4.png) \`=x\`"
    )
    await take(store, A, mail(1, live, subject="![s](https://pixel.example/2.png)", thread_title="Pictures"))
    await exported(store, tmp_path / "vault", clock)
    written = notes(tmp_path / "vault")["Threads/a/Pictures"].splitlines()
    quoted = [line for line in written if line.startswith((">", "**"))]
    assert len(quoted) == 4
    for line in quoted:
        assert not re.search(r"(?<!\\)(?:\\\\)*[\[`]|(?<!\S)#\w", line)


async def test_another_export_replaces_its_own_files_only(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    folder = tmp_path / "vault"
    await take(store, A, mail(1, "Hello", thread_title="Old title"))
    await exported(store, folder, clock)
    own = folder / "Threads" / "My note.md"
    own.write_text("mine", encoding="utf-8")
    await take(store, A, mail(2, "Hello", thread_title="New title"), gone=("x1",))
    await exported(store, folder, clock)
    assert {"Threads/a/New title", "Threads/My note"} <= set(notes(folder))
    assert "Threads/a/Old title" not in notes(folder)
    assert not list(folder.rglob("*.new"))


async def test_a_folder_of_other_files_is_left_alone(store: Store, clock: FakeClock, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("mine", encoding="utf-8")
    for planted in (None, "{}", "[]", "no json"):
        if planted is not None:
            (folder / "heedful-export.json").write_text(planted, encoding="utf-8")
        with pytest.raises(UserCanFixError, match="holds other files"):
            await exported(store, folder, clock)
    assert (folder / "letter.txt").read_text(encoding="utf-8") == "mine"


async def test_a_list_of_files_outside_the_folder_removes_none(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    outside = tmp_path / "letter.txt"
    outside.write_text("mine", encoding="utf-8")
    folder = tmp_path / "vault"
    folder.mkdir()
    listed = {"files": ["../letter.txt", str(outside), 7]}
    (folder / "heedful-export.json").write_text(json.dumps(listed), encoding="utf-8")
    await exported(store, folder, clock)
    assert outside.exists()


def test_an_export_that_was_cut_off_is_known_by_the_next_which_leaves_none_of_its_files_behind(
    tmp_path: Path,
) -> None:
    place = tmp_path / "vault"
    first = ExportFolder(place)
    first.write("old.md", ["old"])
    first.write("both.md", ["old"])
    first.finish()
    cut_off = ExportFolder(place)
    cut_off.write("both.md", ["half"])
    last = ExportFolder(place)
    last.write("both.md", ["new"])
    assert last.finish() == 1
    assert sorted(file.name for file in place.iterdir()) == ["both.md", LIST]
    assert json.loads((place / LIST).read_text(encoding="utf-8"))["files"] == ["both.md"]


def test_a_first_export_that_was_cut_off_makes_its_folder_nobody_elses(tmp_path: Path) -> None:
    ExportFolder(tmp_path / "vault").write("note.md", ["half"])
    again = ExportFolder(tmp_path / "vault")
    again.write("note.md", ["whole"])
    assert again.finish() == 1


async def test_a_long_thread_goes_on_in_further_notes(store: Store, clock: FakeClock, tmp_path: Path) -> None:
    await take(store, A, *(mail(n, f"Number {n}", thread_key="t") for n in range(501)))
    await exported(store, tmp_path / "vault", clock)
    written = notes(tmp_path / "vault")
    found = [name for name in written if name.startswith("Threads/")]
    assert sorted(found) == ["Threads/a/A word", "Threads/a/A word (2)"]
    assert "continues:" not in written["Threads/a/A word"]
    assert 'continues: "[[Threads/a/A word|A word]]"' in written["Threads/a/A word (2)"]
    assert [row["id"] for row in messages(tmp_path / "vault")] == [f"x{n}" for n in range(501)]


NASTY = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('.. /\\:*?"<>|\u202e\u0301éÉ%#[]^')),
    max_size=200,
)
RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(NASTY, st.sampled_from(["aux.txt", "CON", "Café", "Cafe\u0301", "CAFÉ", "x.", ""])),
        max_size=8,
    )
)
def test_every_name_is_one_that_linux_a_mac_and_windows_take_and_none_is_another_there(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[str]
) -> None:
    folder = ExportFolder(tmp_path_factory.mktemp("vault"))
    names = [f"{folder.name('Threads', one)}.md" for one in wanted]
    for path in names:
        room, _, name = path.partition("/")
        assert room == "Threads"
        assert not re.search(r'[<>:"/\\|?*\x00-\x1f\u202a-\u202e]', name)
        assert name == name.strip()
        assert not name.startswith(".")
        assert not name.removesuffix(".md").endswith((".", " "))
        assert len(name.encode()) <= 255
        assert name.split(".")[0].casefold() not in RESERVED
    assert len({unicodedata.normalize("NFD", name).casefold() for name in names}) == len(names)


async def test_an_export_read_in_again_holds_as_much(
    store: Store, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    await take(
        store, A, *(mail(n, f"Number {n}.", subject="aux.txt", thread_title="Cafe\u0301") for n in range(30))
    )
    await take(store, B, *(mail(n, f"Number {n}.", author=RUI) for n in range(30, 40)))
    await exported(store, tmp_path / "vault", clock)
    other = Store.open(home_at(tmp_path / "other"), key, Bus())
    try:
        library = Library(other, Bus(), clock)
        for file in read_in_again(tmp_path / "vault"):
            await library.sync(await library.add(file, watched=False))
        counted = "SELECT count(*), count(DISTINCT thread_id), (SELECT count(*) FROM chunks) FROM messages"
        assert await rows(other, counted) == await rows(store, counted)
    finally:
        other.close()


async def test_an_export_doubles_nothing_of_what_is_remembered_already(
    store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    note = mail(4, "A list.", kind="note", channel="note", identity="note:shelf/list")
    await take(store, A, mail(1, "First."), mail(2, "To both."), note)
    await take(store, B, mail(2, "To both."), mail(3, "A chat.", channel="telegram", identity="tg:1:3"))
    await exported(store, tmp_path / "vault", clock)
    library = Library(store, Bus(), clock)
    files = read_in_again(tmp_path / "vault")
    intakes = [(await library.sync(await library.add(file, watched=False))).intake for file in files]

    assert [intake.new for intake in intakes] == [0, 0]
    assert sum(intake.known for intake in intakes) == 4


async def test_what_an_export_brought_is_known_to_the_source_it_once_came_from(
    store: Store, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    letters = [mail(1, "First."), mail(2, "Second.", thread_key="t")]
    await take(store, A, *letters)
    await exported(store, tmp_path / "vault", clock)
    other = Store.open(home_at(tmp_path / "other"), key, Bus())
    try:
        library = Library(other, Bus(), clock)
        (file,) = read_in_again(tmp_path / "vault")
        await library.sync(await library.add(file, watched=False))
        await take(other, A, *letters)
        assert await rows(other, "SELECT count(*) FROM messages") == [(2,)]
    finally:
        other.close()
