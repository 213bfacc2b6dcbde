"""Mailbox files: where one message ends, and what is new since the last look."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.sources.mbox import SOURCE
from heedful.sources.mbox_splitting import split_mbox, unquoted
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.sources.letters import SEPARATOR, batches, items, letter, rejected


def mbox_of(*letters: str) -> str:
    return "".join(SEPARATOR + re.sub(r"(?m)^(>*From )", r">\1", one) + "\n" for one in letters)


def test_each_message_of_a_mailbox_is_read(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(mbox_of(letter(number=1), letter(number=2)))

    found = batches(SOURCE, path, clock)

    assert [item.external_id for item in items(found)] == ["1@prado.example", "2@prado.example"]
    assert found[-1].done == found[-1].total == path.stat().st_size


def test_a_line_that_begins_with_from_stays_in_its_message(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    body = "Hello\n\nFrom now on: please send it to me.\n\nFrom here we go\n"
    path.write_text(SEPARATOR + letter(body) + "\n" + mbox_of(letter("> >From x\n>From y\n", number=2)))

    first, second = items(batches(SOURCE, path, clock))

    assert "From now on: please" in first.text
    assert second.text == "> >From x\n>From y"


def test_a_counted_message_may_hold_what_looks_like_a_separator(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    body = f"Look:\n\n{SEPARATOR}Subject: not a message\n\nend\n"
    counted = letter(body, headers=f"Content-Length: {len(body)}\n")
    path.write_text(SEPARATOR + counted + "\n" + SEPARATOR + letter(number=2))

    first, second = items(batches(SOURCE, path, clock))

    assert "not a message" in first.text
    assert second.external_id == "2@prado.example"


def test_a_count_that_is_wrong_is_not_believed(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(mbox_of(letter(headers="Content-Length: 3\n"), letter(number=2)))

    assert len(items(batches(SOURCE, path, clock))) == 2


def test_a_file_that_only_grew_is_read_on_from_where_it_was(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(mbox_of(letter(number=1)))
    cursor = batches(SOURCE, path, clock)[-1].cursor
    assert batches(SOURCE, path, clock, cursor) == []

    path.write_text(mbox_of(letter(number=1), letter(number=2)))

    assert [item.external_id for item in items(batches(SOURCE, path, clock, cursor))] == ["2@prado.example"]


def test_a_file_that_was_rewritten_is_read_again(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(mbox_of(letter(number=1), letter(number=2)))
    cursor = batches(SOURCE, path, clock)[-1].cursor

    path.write_text(mbox_of(letter(number=2), letter(number=3), letter(number=4)))

    again = items(batches(SOURCE, path, clock, cursor))
    assert [item.external_id[0] for item in again] == ["2", "3", "4"]


def test_flags_that_a_mail_program_overwrites_are_no_rewriting(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "Inbox"
    path.write_text(mbox_of(letter(headers="X-Mozilla-Status: 0000\n")))
    cursor = batches(SOURCE, path, clock)[-1].cursor

    path.write_text(mbox_of(letter(headers="X-Mozilla-Status: 0001\n")))

    assert batches(SOURCE, path, clock, cursor) == []


def test_mail_that_only_waits_to_be_purged_is_not_there(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "Inbox"
    path.write_text(mbox_of(letter(number=1, headers="X-Mozilla-Status: 0009\n"), letter(number=2)))

    assert [item.external_id for item in items(batches(SOURCE, path, clock))] == ["2@prado.example"]


def test_a_damaged_message_is_listed_and_its_neighbours_are_read(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(
        mbox_of(letter(number=1)) + SEPARATOR + "X-Strange: thing\n\nno mail\n\n" + mbox_of(letter(number=3))
    )

    found = batches(SOURCE, path, clock)

    assert len(items(found)) == 2
    assert [bad.reason for bad in rejected(found)] == ["It has none of the headers of a mail."]


def test_batches_hold_two_hundred_at_most_and_each_cursor_continues(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(mbox_of(*(letter(number=n) for n in range(450))))

    found = batches(SOURCE, path, clock)

    assert [len(batch.items) for batch in found] == [200, 200, 50]
    rest = items(batches(SOURCE, path, clock, found[0].cursor))
    assert [item.external_id for item in rest] == [f"{n}@prado.example" for n in range(200, 450)]


@pytest.mark.parametrize(
    "name", ["Sent", "Gesendet", "Enviados", "Itens enviados.mbox", "Sent Messages.mbox"]
)
def test_a_folder_of_sent_mail_is_known_by_its_name(name: str, tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / name).write_text(mbox_of(letter()))

    (mail,) = items(batches(SOURCE, tmp_path / name, clock))

    assert mail.traits.sent_folder


def test_a_thunderbird_folder_is_read_without_its_spam_and_bin(tmp_path: Path, clock: FakeClock) -> None:
    root = tmp_path / "Mail"
    (root / "Inbox.sbd").mkdir(parents=True)
    (root / "Inbox").write_text(mbox_of(letter(number=1)))
    (root / "Inbox.msf").write_text("// index")
    (root / "Inbox.sbd" / "Club").write_text(mbox_of(letter(number=2)))
    (root / "Papierkorb").write_text(mbox_of(letter(number=3)))
    (root / "Sent").write_text(mbox_of(letter(number=4)))
    assert SOURCE.fits(root) > 0.8

    found = batches(SOURCE, root, clock)

    assert {item.external_id[0]: item.traits.sent_folder for item in items(found)} == {
        "1": False,
        "2": False,
        "4": True,
    }
    assert batches(SOURCE, root, clock, found[-1].cursor) == []


def test_a_message_without_a_date_takes_that_of_its_separator(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text(SEPARATOR + "From: ana@prado.example\nSubject: x\n\nhi\n")

    (mail,) = items(batches(SOURCE, path, clock))

    assert mail.sent_at.isoformat() == "2026-12-03T15:00:00+00:00"


def test_a_path_that_is_gone_is_for_the_person_to_mend(tmp_path: Path, clock: FakeClock) -> None:
    with pytest.raises(UserCanFixError):
        batches(SOURCE, tmp_path / "gone", clock)


def test_something_else_is_refused_as_a_whole(tmp_path: Path, clock: FakeClock) -> None:
    path = tmp_path / "box"
    path.write_text("just words\n")
    with pytest.raises(RejectedError):
        batches(SOURCE, path, clock)


LINES = st.lists(
    st.sampled_from(
        ["hello", "", "From a to b", ">From x", "From: me", "From a@b.example Thu Dec 3 15:00 2026", "--"]
    ),
    max_size=8,
)


@given(st.lists(LINES, min_size=1, max_size=5))
def test_what_was_joined_is_split_again(bodies: list[list[str]]) -> None:
    letters = [letter("".join(f"{line}\n" for line in body), number=n) for n, body in enumerate(bodies)]

    found = list(split_mbox(io.BytesIO(mbox_of(*letters).encode()), 0))

    assert [unquoted(message.raw).decode().rstrip("\n") for message in found] == [
        one.rstrip("\n") for one in letters
    ]


@given(st.binary(max_size=300), st.integers(0, 3))
def test_no_noise_raises_and_no_byte_is_lost(noise: bytes, separators: int) -> None:
    data = (b"\n" + SEPARATOR.encode() + b"Subject: x\n").join([noise] * (separators + 1))

    found = list(split_mbox(io.BytesIO(data), 0))

    assert b"".join(message.separator + message.raw for message in found) == data


@given(data=st.data())
def test_read_in_two_parts_is_read_at_once(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("parts") / "box"
    bodies = data.draw(st.lists(LINES, min_size=1, max_size=4))
    whole = mbox_of(*(letter("\n".join(body) + "\n", number=n) for n, body in enumerate(bodies))).encode()
    cut = data.draw(st.integers(len(SEPARATOR) + 60, len(whole)))
    clock = FakeClock(NOW)

    path.write_bytes(whole[:cut])
    first = batches(SOURCE, path, clock)
    path.write_bytes(whole)
    second = batches(SOURCE, path, clock, first[-1].cursor if first else "")

    parts = {item.external_id: item.text for item in [*items(first), *items(second)]}
    path.write_bytes(whole)
    assert parts == {item.external_id: item.text for item in items(batches(SOURCE, path, clock))}
