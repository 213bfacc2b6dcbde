"""What a command prints is words: nothing that others wrote steers the terminal."""

import io
import json
import sys

import pytest

from heedful.cli import main
from tests.cli.line import Line

ORDERS = "\x1b]0;mine\x07\x1b[2J\x9b31m\u202e\u2066 now\rgone"


def test_what_others_wrote_gives_the_terminal_no_orders(line: Line) -> None:
    row = {
        "id": "1",
        "author": {"name": f"Mallory {ORDERS}", "address": "m@ciclone.example"},
        "sent_at": "2026-11-30T09:00:00+00:00",
        "subject": ORDERS,
        "text": f"Alarm bells {ORDERS}",
    }
    line.run("import", str(line.file("x.messages.jsonl", json.dumps(row))), "--as", f"Chat {ORDERS}")
    said = [line.run(*asked) for asked in (("search", "alarm"), ("tree", "browse"), ("sources",))]
    given = [line.run(*asked, "--json") for asked in (("search", "alarm"), ("tree", "browse"))]
    for one in (*said, *given):
        assert not set(one.out + one.err) & set("\x1b\x07\x9b\r\u202e\u2066")
    assert "Mallory" in said[0].out
    assert given[0].json[0]["subject"].startswith("\x1b]0;mine")


def on(stream: object, line: Line, monkeypatch: pytest.MonkeyPatch, *asked: str) -> int:
    """Runs a command whose result goes to this stream."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        return main(["--home", str(line.home), *asked])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
@pytest.mark.parametrize("asked", [("items",), ("items", "--json"), ("search", "--json")])
def test_a_result_that_can_not_be_written_is_one_sentence(
    line: Line, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: tuple[str, ...]
) -> None:
    line.run("items")
    full = open("/dev/full", "w")  # noqa: PTH123, SIM115 (a device, closed by the command)
    code = on(full, line, monkeypatch, *asked)
    full.close()
    told = capsys.readouterr().err
    assert code in (1, 2)
    assert told.count("\n") == 1
    if asked[0] == "items":
        assert told.startswith("The result can't be written. No space left on device. ")


def test_a_process_without_an_output_does_its_work(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    assert on(None, line, monkeypatch, "import", str(line.mailbox())) == 0
    assert len(line.json("sources")) == 1


def test_whoever_stopped_reading_is_told_nothing(
    line: Line, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    line.run("items")
    assert on(Gone(), line, monkeypatch, "items") == 1
    assert capsys.readouterr().err == ""


def test_an_output_of_few_signs_gets_json_that_is_whole_and_text_with_marks(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"id": "1", "sent_at": "2026-11-30T09:00:00+00:00", "text": "Grüße 你好 anchor", "subject": "你好"}
    line.run("import", str(line.file("x.messages.jsonl", json.dumps(row))))
    for asked in (("search", "anchor"), ("search", "anchor", "--json")):
        raw = io.BytesIO()
        out = io.TextIOWrapper(raw, encoding="latin-1")
        assert on(out, line, monkeypatch, *asked) == 0
        said = raw.getvalue().decode("latin-1")
        out.detach()
        if "--json" in asked:
            assert json.loads(said)[0]["subject"] == "你好"
        else:
            assert "Grüße ??" in said
