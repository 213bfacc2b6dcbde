"""The texts people receive that the juice benchmark reads: mails, threads, chats, and a long log."""

import json
import mailbox
import re
import tarfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from heedful.tokenjuice.facts import ADDRESS, AMOUNT, DATE, URL, names_in

_LEAST_CHARS = 400
_SPEED_CHARS = 12_000_000


def html_mails(data: Path) -> list[tuple[str, list[str]]]:
    """The markup of every HTML mail of the fixtures and newsletters, with the facts a reader would see in it."""
    found: list[str] = []
    for raw in _packed(data / "spamassassin" / "hard-ham-1.tar.xz"):
        found += _html_parts(message_from_bytes(raw))
    for path in sorted((data / "eml_fixtures").rglob("*")):
        if path.is_file():
            raw = path.read_bytes()
            if path.suffix == ".html":
                found.append(raw.decode("utf-8", "replace"))
            elif b"text/html" in raw.lower():
                found += _html_parts(message_from_bytes(raw))
    return [(markup, _facts(markup)) for markup in found if len(markup) >= _LEAST_CHARS]


def _packed(archive: Path) -> Iterator[bytes]:
    if archive.exists():
        with tarfile.open(archive) as opened:
            for member in opened:
                taken = opened.extractfile(member) if member.isfile() else None
                if taken is not None:
                    yield taken.read()


def _html_parts(message: Message) -> Iterator[str]:
    for part in message.walk():
        payload = part.get_payload(decode=True)
        if part.get_content_type() == "text/html" and isinstance(payload, bytes):
            try:
                yield payload.decode(part.get_content_charset() or "utf-8")
            except (LookupError, UnicodeDecodeError):
                yield payload.decode("latin-1")


def _facts(markup: str) -> list[str]:
    tree = LexborHTMLParser(markup)
    for node in tree.css("script,style,head,noscript,template,iframe"):
        node.decompose()
    seen = tree.body.text(separator=" \n ") if tree.body else ""
    facts = {fact for pattern in (URL, ADDRESS, DATE, AMOUNT) for fact in pattern.findall(seen)}
    return sorted(facts | set(names_in(seen)))


def bc3_threads(folder: Path) -> list[tuple[str, list[str]]]:
    """Each thread as a mailbox, with its labelled sentences."""
    if not (folder / "threads.mbox").exists():
        return []
    labelled: dict[str, list[str]] = {}
    for line in (folder / "sentences.jsonl").read_text("utf-8").splitlines():
        sentence = json.loads(line)
        if sentence["votes"]:
            labelled.setdefault(sentence["thread"], []).append(sentence["text"])
    threads: dict[str, str] = {}
    with_box = mailbox.mbox(folder / "threads.mbox", create=False)
    try:
        for message in with_box:
            name = str(message["X-BC3-Thread"])
            raw = f"From {message.get_from()}\n" + with_box_text(message)
            threads[name] = threads.get(name, "") + raw + "\n"
    finally:
        with_box.close()
    return [(text, labelled.get(name, [])) for name, text in threads.items()]


def with_box_text(message: Message) -> str:
    """The message as it stands in the file."""
    return message.as_bytes().decode("utf-8", "replace")


def chats(folder: Path, form: str) -> Iterator[tuple[str, list[str]]]:
    """Each conversation as an exported or a plain transcript, with the turns that questions rest on."""
    evidence: dict[str, set[str]] = {}
    marks = folder / "qrels.jsonl"
    if not marks.exists():
        return
    for line in marks.read_text("utf-8").splitlines():
        mark = json.loads(line)
        evidence.setdefault(mark["conv"], set()).update(mark["evidence"])
    for path in sorted(folder.glob("conv-*.json")):
        talk = json.loads(path.read_text("utf-8"))["conversation"]
        lines, turns = [], []
        for name in sorted(
            (key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])
        ):
            at = datetime.strptime(talk[f"{name}_date_time"].replace(" on ", " "), "%I:%M %p %d %B, %Y")  # noqa: DTZ007  the data has no zone
            if form == "plain":
                lines.append(f"— {talk[f'{name}_date_time']}")
            for turn in talk[name]:
                said = " ".join(turn["text"].split())
                stamp = f"[{at:%d/%m/%Y, %H:%M:%S}] " if form == "export" else ""
                lines.append(f"{stamp}{turn['speaker']}: {said}")
                at += timedelta(seconds=40)
                if turn["dia_id"] in evidence.get(path.stem, set()):
                    turns.append(said)
        yield "\n".join(lines), turns


def log_text(folder: Path) -> str:
    """The logs below the folder, one after the other, again and again with other numbers, about 12 MB."""
    parts = [path.read_text("utf-8", errors="replace") for path in sorted(folder.rglob("*.log"))]
    once = "\n".join(parts)
    text: list[str] = []
    size = 0
    while once and size < _SPEED_CHARS:
        shift = len(text) % 9 + 1
        turned = once.translate(
            str.maketrans("0123456789", "".join(str((digit + shift) % 10) for digit in range(10)))
        )
        text.append(turned)
        size += len(turned)
    return "\n".join(text)
