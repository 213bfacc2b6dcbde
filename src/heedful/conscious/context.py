"""Changed threads as a model reads them: labelled passages, whole sentences, a bound on length, nothing cut unsaid.

A message is shown by its own new words only, compressed by rule, the telling sentences first when there is no
room for all; what is left out is counted where it stood. Dates, senders and labels come from metadata.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from heedful.core.ids import ChunkId, SourceId
from heedful.inference import estimate_tokens, fence
from heedful.judgement import detect
from heedful.memory import Chunk, StoredMessage, ThreadView
from heedful.reading import Sentence, ZoneKind, display_name, find_amounts, locate, sentences
from heedful.tokenjuice import Juicer, Squeezed

NEW_TOKENS = 1150
"""What the new messages of one look may take together; with their headings under 2,000 for twenty of them. The
system prompt before them is the same to the byte in every call, so that servers keep it."""

MOST_TOKENS_EACH = 350
LEAST_TOKENS_EACH = 45
PAST_TOKENS_EACH = 40
PAST_MESSAGES = 2


@dataclass(frozen=True, slots=True)
class Context:
    """What is put before the model in one call: the text, what its labels stand for, and where it came from.

    `squeezed` tells what compression made of each passage.
    """

    text: str
    labels: Mapping[str, ChunkId]
    threads: tuple[ThreadView, ...]
    squeezed: tuple[Squeezed, ...]

    @property
    def source_ids(self) -> tuple[SourceId, ...]:
        """Every source that anything in the text came from."""
        return tuple(dict.fromkeys(m.source_id for thread in self.threads for m in thread.messages))


def tokens_each(new_messages: int) -> int:
    """How many tokens of its own words a new message may take when there are so many of them."""
    return max(LEAST_TOKENS_EACH, min(MOST_TOKENS_EACH, NEW_TOKENS // max(new_messages, 1)))


def context_of(
    threads: Sequence[ThreadView], *, now: datetime, zone: tzinfo, nonce: str, each: int, juicer: Juicer
) -> Context:
    """The text of one call about these threads; `each` is the bound for a new message, in tokens."""
    page = _Page(zone, each, juicer)
    parts = []
    place = None
    for thread in sorted(threads, key=lambda one: one.source_id):
        if thread.source_id != place:
            parts.append(f"## {thread.source_name} ({thread.channel})")
        place = thread.source_id
        parts.append(_thread(thread, page))
    head = f"Now: {now.astimezone(zone):%A %d %B %Y, %H:%M}"
    data = fence("\n".join(parts), nonce)
    return Context(f"{head}\n{data}", page.labels, tuple(threads), tuple(page.squeezed))


@dataclass(slots=True)
class _Page:
    """The text of one call while it is written: how, and what of it is to be remembered."""

    zone: tzinfo
    each: int
    juicer: Juicer
    labels: dict[str, ChunkId] = field(default_factory=dict)
    squeezed: list[Squeezed] = field(default_factory=list)


def _thread(thread: ThreadView, page: _Page) -> str:
    shown = _worth_showing(thread)
    unseen = thread.left_out + len(thread.messages) - len(shown)
    lines = [f"### {thread.title}"]
    if unseen:
        lines.append(f"({unseen} other {'message' if unseen == 1 else 'messages'} of it not shown)")
    return "\n".join([*lines, *(_message(message, page) for message in shown)])


def _worth_showing(thread: ThreadView) -> list[StoredMessage]:
    """The new messages, the last two before the first of them, and what the person wrote since."""
    first = next((place for place, message in enumerate(thread.messages) if message.is_new), 0)
    return [
        message
        for place, message in enumerate(thread.messages)
        if message.is_new or first - PAST_MESSAGES <= place < first or (place > first and message.from_me)
    ]


def _message(message: StoredMessage, page: _Page) -> str:
    author = (
        "Me" if message.from_me else display_name(message.author.name, message.author.address) or "unknown"
    )
    told = f"{author}, {message.sent_at.astimezone(page.zone):%a %d %b %H:%M}"
    bound = page.each if message.is_new else min(page.each, PAST_TOKENS_EACH)
    passages: list[str] = []
    for chunk, words in _passages(message, bound, page):
        label = f"c{len(page.labels) + 1}"
        page.labels[label] = chunk.id
        passages.append(f"[{label}] {'(the same)' if passages else told}\n{words}")
    return "\n".join(passages) or f"{told}\n(no words of their own)"


@dataclass(frozen=True, slots=True)
class _Words:
    """A message's own words as compression leaves them, and the line that says what was removed."""

    sentences: tuple[Sentence, ...]
    account: str


def _passages(message: StoredMessage, bound: int, page: _Page) -> Iterable[tuple[Chunk, str]]:
    """What is shown of each of the message's chunks, in order."""
    words = _words(message, page)
    chosen = _telling(words.sentences, message, bound)
    of_chunk: dict[Chunk, list[Sentence]] = {}
    for s in words.sentences:
        of_chunk.setdefault(_chunk_of(s, message, of_chunk), []).append(s)
    account = words.account
    for chunk, part in of_chunk.items():
        shown = _joined(part, chosen)
        if shown:
            yield chunk, f"{shown} {account}".rstrip()
            account = ""


def _words(message: StoredMessage, page: _Page) -> _Words:
    kinds = (ZoneKind.NEW, ZoneKind.FORWARDED)
    text = "\n".join(message.text[zone.start : zone.end] for zone in message.zones if zone.kind in kinds)
    if not text.strip():
        return _Words((), "")
    asks = [seen.quote for seen in detect(text, lang=message.lang, sent_at=message.sent_at)]
    squeezed = page.juicer.compress(text, pinned=asks)
    page.squeezed.append(squeezed)
    kept, account = squeezed.text, ""
    if squeezed.steps:
        kept, _, account = squeezed.text.rstrip("\n").rpartition("\n")
    return _Words(tuple(s for s in sentences(kept, message.lang) if s.text.strip()), account)


def _chunk_of(s: Sentence, message: StoredMessage, before: Iterable[Chunk]) -> Chunk:
    """The chunk a sentence stands in; a line that compression wrote goes with the one before it."""
    *_, last = (message.chunks[0], *before)
    if len(message.chunks) == 1 or locate(s.text, message.text[last.start : last.end]) is not None:
        return last
    held = (c for c in message.chunks if locate(s.text, message.text[c.start : c.end]) is not None)
    return next(held, last)


def _telling(own: Sequence[Sentence], message: StoredMessage, bound: int) -> frozenset[int]:
    """The starts of the sentences that fit the bound: all, or those with cues, figures and the opening first."""
    cost = {s.start: estimate_tokens(s.text) for s in own}
    if sum(cost.values()) <= bound:
        return frozenset(cost)
    chosen: set[int] = set()
    left = bound
    for s in sorted(own, key=lambda s: (-_weight(s, message, is_first=s is own[0]), s.start)):
        if cost[s.start] <= left or not chosen:
            chosen.add(s.start)
            left -= cost[s.start]
    return frozenset(chosen)


def _weight(s: Sentence, message: StoredMessage, *, is_first: bool) -> float:
    sighted = max((x.score for x in detect(s.text, lang=message.lang, sent_at=message.sent_at)), default=0.0)
    figures = 0.5 if find_amounts(s.text) or any(letter.isdigit() for letter in s.text) else 0.0
    return 2 * sighted + figures + (0.4 if is_first else 0.0)


def _joined(part: Sequence[Sentence], chosen: frozenset[int]) -> str:
    parts: list[str] = []
    skipped = 0
    for s in part:
        if s.start not in chosen:
            skipped += 1
            continue
        if skipped:
            parts.append(f"[{skipped} left out]")
            skipped = 0
        parts.append(" ".join(s.text.split()))
    if parts and skipped:
        parts.append(f"[{skipped} left out]")
    return " ".join(parts)
