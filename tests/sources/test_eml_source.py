"""Mail in files of its own."""

from pathlib import Path

import pytest

from heedful.sources.eml import SOURCE
from tests.fakes.clock import FakeClock
from tests.sources.letters import SEPARATOR, batches, items, letter, rejected


def test_one_file_is_one_mail(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "figures.eml"
    path.write_text(letter())

    assert [item.external_id for item in items(batches(SOURCE, path, clock))] == ["1@prado.example"]


def test_a_separator_line_at_the_top_is_passed_over(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "figures.eml"
    path.write_text(SEPARATOR + letter())

    assert items(batches(SOURCE, path, clock))[0].author.name == "Ana Prado"


def test_apples_files_are_read_without_their_count_and_properties(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "7.emlx"
    mail = letter()
    path.write_text(f"{len(mail)}\n{mail}<?xml version='1.0'?><plist></plist>")

    (found,) = items(batches(SOURCE, path, clock))

    assert found.text == "Could you send me the figures by Friday?"


def test_a_count_that_no_file_can_have_stops_no_reading(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "7.emlx").write_text(f"{'9' * 5000}\n{letter()}")
    (tmp_path / "8.emlx").write_text(f"{len(letter())}\n{letter()}")

    assert len(items(batches(SOURCE, tmp_path, clock))) == 2


def test_a_folder_is_read_on_and_tells_what_is_gone(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "a.eml").write_text(letter(number=1))
    (tmp_path / "Sent Items").mkdir()
    (tmp_path / "Sent Items" / "b.eml").write_text(letter(number=2))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    found = batches(SOURCE, tmp_path, clock)
    assert {item.external_id[0]: item.from_me for item in items(found)} == {"1": None, "2": True}

    (tmp_path / "a.eml").unlink()
    (tmp_path / "c.eml").write_text(letter(number=3))

    (batch,) = batches(SOURCE, tmp_path, clock, found[-1].cursor)
    assert [item.external_id[0] for item in batch.items] == ["3"]
    assert batch.gone == ("1@prado.example",)


@pytest.mark.parametrize("content", ["", "only words\n"])
def test_a_file_that_is_no_mail_is_rejected_alone(content: str, tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "bad.eml").write_text(content)
    (tmp_path / "good.eml").write_text(letter())

    found = batches(SOURCE, tmp_path, clock)

    assert [bad.place for bad in rejected(found)] == ["bad.eml"]
    assert len(items(found)) == 1
