"""What a command prints is words: nothing that others wrote steers the terminal."""

import json

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
