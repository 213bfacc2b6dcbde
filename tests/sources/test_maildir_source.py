"""Maildirs: what is new, what only changed its flags, what is gone."""

from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.sources.maildir import SOURCE
from tests.fakes.clock import FakeClock
from tests.sources.letters import batches, items, letter, rejected


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    root = tmp_path / "Maildir"
    for folder in ("cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Papierkorb/cur", ".Papierkorb/new"):
        (root / folder).mkdir(parents=True)
    (root / "cur" / "1.host:2,S").write_text(letter(number=1))
    (root / "new" / "2.host").write_text(letter(number=2))
    (root / ".Sent" / "cur" / "3.host:2,S").write_text(letter(number=3))
    (root / ".Papierkorb" / "cur" / "4.host:2,S").write_text(letter(number=4))
    (root / "tmp" / "5.host").write_text(letter(number=5))
    return root


def test_mail_of_all_folders_but_the_bin_is_read(maildir: Path, clock: FakeClock) -> None:
    assert SOURCE.fits(maildir) == 1

    found = items(batches(SOURCE, maildir, clock))

    assert {item.external_id[0]: item.traits.sent_folder for item in found} == {
        "1": False,
        "2": False,
        "3": True,
    }


def test_only_what_is_new_is_read_again(maildir: Path, clock: FakeClock) -> None:
    cursor = batches(SOURCE, maildir, clock)[-1].cursor
    assert batches(SOURCE, maildir, clock, cursor) == []

    (maildir / "new" / "6.host").write_text(letter(number=6))

    assert [item.external_id for item in items(batches(SOURCE, maildir, clock, cursor))] == [
        "6@prado.example"
    ]


def test_a_new_flag_and_a_move_from_new_to_cur_are_no_news(maildir: Path, clock: FakeClock) -> None:
    cursor = batches(SOURCE, maildir, clock)[-1].cursor

    (maildir / "new" / "2.host").rename(maildir / "cur" / "2.host:2,RS")
    (maildir / "cur" / "1.host:2,S").rename(maildir / "cur" / "1.host:2,FS")

    assert batches(SOURCE, maildir, clock, cursor) == []


def test_what_was_deleted_or_marked_for_it_is_gone(maildir: Path, clock: FakeClock) -> None:
    cursor = batches(SOURCE, maildir, clock)[-1].cursor

    (maildir / "cur" / "1.host:2,S").unlink()
    (maildir / "new" / "2.host").rename(maildir / "cur" / "2.host:2,ST")

    (batch,) = batches(SOURCE, maildir, clock, cursor)
    assert batch.gone == ("1@prado.example", "2@prado.example")
    assert batches(SOURCE, maildir, clock, batch.cursor) == []


def test_a_copy_in_another_folder_keeps_a_message_alive(maildir: Path, clock: FakeClock) -> None:
    (maildir / ".Sent" / "cur" / "7.host:2,S").write_text(letter(number=1))
    cursor = batches(SOURCE, maildir, clock)[-1].cursor

    (maildir / "cur" / "1.host:2,S").unlink()

    assert all(batch.gone == () for batch in batches(SOURCE, maildir, clock, cursor))


def test_a_drive_that_is_not_connected_deletes_nothing(maildir: Path, clock: FakeClock) -> None:
    for number in range(10, 20):
        (maildir / "cur" / f"{number}.host:2,S").write_text(letter(number=number))
    cursor = batches(SOURCE, maildir, clock)[-1].cursor

    for file in [*maildir.glob("*/*"), *maildir.glob(".Sent/*/*")]:
        if file.is_file():
            file.unlink()

    with pytest.raises(UserCanFixError, match="is empty now"):
        batches(SOURCE, maildir, clock, cursor)


def test_an_empty_file_is_listed_once(maildir: Path, clock: FakeClock) -> None:
    (maildir / "cur" / "8.host:2,S").write_text("")

    found = batches(SOURCE, maildir, clock)

    assert [bad.place for bad in rejected(found)] == ["8.host"]
    assert batches(SOURCE, maildir, clock, found[-1].cursor) == []
