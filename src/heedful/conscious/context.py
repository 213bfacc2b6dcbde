"""Changed threads as a model reads them: labelled passages, whole sentences, a bound on length, nothing cut unsaid.

A message is shown by its own new words only, compressed by rule, the telling sentences first when there is no
room for all; what is left out is counted where it stood. Dates, senders and labels come from metadata.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from heedful.core.ids import ChunkId, SourceId
from heedful.inference import estimate_tokens, fence
from heedful.judgement import detect
from heedful.memory import Chunk, StoredMessage, ThreadView
from heedful.reading import Sentence, ZoneKind, display_name, find_amounts, sentences
from heedful.tokenjuice import Juicer

NEW_TOKENS = 1150
"""What the new messages of one look may take together; with their headings under 2,000 for twenty of them. The
system prompt before them is the same to the byte in every call, so that servers keep it."""

MOST_TOKENS_EACH = 350
LEAST_TOKENS_EACH = 45
PAST_TOKENS_EACH = 40
PAST_MESSAGES = 2


@dataclass(frozen=True, slots=True)
class Context:
    """What is put before the model in one call: the text, what its labels stand for, and where it came from."""

    text: str
    labels: Mapping[str, ChunkId]
    threads: tuple[ThreadView, ...]

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
    labels: dict[str, ChunkId] = {}
    parts = []
    place = None
    for thread in sorted(threads, key=lambda one: one.source_id):
        if thread.source_id != place:
            parts.append(f"## {thread.source_name} ({thread.channel})")
        place = thread.source_id
        parts.append(_thread(thread, labels, zone=zone, each=each, juicer=juicer))
    head = f"Now: {now.astimezone(zone):%A %d %B %Y, %H:%M}"
    data = fence("\n".join(parts), nonce)
    return Context(f"{head}\n{data}", labels, tuple(threads))


def _thread(
    thread: ThreadView, labels: dict[str, ChunkId], *, zone: tzinfo, each: int, juicer: Juicer
) -> str:
    shown = _worth_showing(thread)
    unseen = thread.left_out + len(thread.messages) - len(shown)
    lines = [f"### {thread.title}"]
    if unseen:
        lines.append(f"({unseen} other {'message' if unseen == 1 else 'messages'} of it not shown)")
    return "\n".join(
        [*lines, *(_message(message, labels, zone=zone, each=each, juicer=juicer) for message in shown)]
    )


def _worth_showing(thread: ThreadView) -> list[StoredMessage]:
    """The new messages, the last two before the first of them, and what the person wrote since."""
    first = next((place for place, message in enumerate(thread.messages) if message.is_new), 0)
    return [
        message
        for place, message in enumerate(thread.messages)
        if message.is_new or first - PAST_MESSAGES <= place < first or (place > first and message.from_me)
    ]


def _message(
    message: StoredMessage, labels: dict[str, ChunkId], *, zone: tzinfo, each: int, juicer: Juicer
) -> str:
    author = (
        "Me" if message.from_me else display_name(message.author.name, message.author.address) or "unknown"
    )
    told = f"{author}, {message.sent_at.astimezone(zone):%a %d %b %H:%M}"
    bound = each if message.is_new else min(each, PAST_TOKENS_EACH)
    passages: list[str] = []
    for chunk, words in _passages(message, bound, juicer):
        label = f"c{len(labels) + 1}"
        labels[label] = chunk.id
        passages.append(f"[{label}] {'(the same)' if passages else told}\n{words}")
    return "\n".join(passages) or f"{told}\n(no words of their own)"


@dataclass(frozen=True, slots=True)
class _Words:
    """A chunk's own words as they are left after compression, and the line that says what was removed."""

    chunk: Chunk
    sentences: tuple[Sentence, ...]
    account: str


def _passages(message: StoredMessage, bound: int, juicer: Juicer) -> Iterable[tuple[Chunk, str]]:
    """What is shown of each of the message's chunks, in order."""
    own = [words for chunk in message.chunks if (words := _words(message, chunk, juicer)) is not None]
    chosen = _telling(own, message, bound)
    for words in own:
        shown = _joined(words, chosen)
        if shown:
            yield words.chunk, shown


def _words(message: StoredMessage, chunk: Chunk, juicer: Juicer) -> _Words | None:
    kinds = (ZoneKind.NEW, ZoneKind.FORWARDED)
    spans = ((max(z.start, chunk.start), min(z.end, chunk.end)) for z in message.zones if z.kind in kinds)
    text = "\n".join(message.text[start:end] for start, end in spans if start < end)
    if not text.strip():
        return None
    asks = [seen.quote for seen in detect(text, lang=message.lang, sent_at=message.sent_at)]
    squeezed = juicer.compress(text, pinned=asks)
    kept, account = squeezed.text, ""
    if squeezed.steps:
        kept, _, account = squeezed.text.rstrip("\n").rpartition("\n")
    found = tuple(s for s in sentences(kept, message.lang) if s.text.strip())
    return _Words(chunk, found, account) if found else None


def _telling(own: Sequence[_Words], message: StoredMessage, bound: int) -> frozenset[tuple[ChunkId, int]]:
    """Chunk and start of the sentences that fit the bound: all, or those with cues, figures and the opening first."""
    every = [(words.chunk.id, s) for words in own for s in words.sentences]
    cost = {(chunk, s.start): estimate_tokens(s.text) for chunk, s in every}
    if sum(cost.values()) <= bound:
        return frozenset(cost)
    chosen: set[tuple[ChunkId, int]] = set()
    left = bound
    ranked = sorted(
        enumerate(every), key=lambda one: (-_weight(one[1][1], message, is_first=one[0] == 0), one[0])
    )
    for _, (chunk, s) in ranked:
        if cost[chunk, s.start] <= left or not chosen:
            chosen.add((chunk, s.start))
            left -= cost[chunk, s.start]
    return frozenset(chosen)


def _weight(s: Sentence, message: StoredMessage, *, is_first: bool) -> float:
    sighted = max((x.score for x in detect(s.text, lang=message.lang, sent_at=message.sent_at)), default=0.0)
    figures = 0.5 if find_amounts(s.text) or any(letter.isdigit() for letter in s.text) else 0.0
    return 2 * sighted + figures + (0.4 if is_first else 0.0)


def _joined(words: _Words, chosen: frozenset[tuple[ChunkId, int]]) -> str:
    parts: list[str] = []
    skipped = 0
    for s in words.sentences:
        if (words.chunk.id, s.start) not in chosen:
            skipped += 1
            continue
        if skipped:
            parts.append(f"[{skipped} left out]")
            skipped = 0
        parts.append(" ".join(s.text.split()))
    if not parts:
        return ""
    if skipped:
        parts.append(f"[{skipped} left out]")
    return " ".join([*parts, words.account]).rstrip()
