"""Changed threads as a model reads them: labelled passages, whole sentences, a bound on length, nothing cut unsaid.

A message is shown by its own new words only, the telling sentences first when there is no room for all; what is
left out is counted where it stood. Dates, senders and labels come from metadata.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from heedful.core.ids import ChunkId, SourceId
from heedful.inference import estimate_tokens, fence
from heedful.judgement import detect
from heedful.memory import Chunk, StoredMessage, ThreadView
from heedful.reading import Sentence, ZoneKind, display_name, find_amounts, sentences

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
        return tuple(dict.fromkeys(thread.source_id for thread in self.threads))


def tokens_each(new_messages: int) -> int:
    """How many tokens of its own words a new message may take when there are so many of them."""
    return max(LEAST_TOKENS_EACH, min(MOST_TOKENS_EACH, NEW_TOKENS // max(new_messages, 1)))


def context_of(
    threads: Sequence[ThreadView], *, now: datetime, zone: tzinfo, nonce: str, each: int
) -> Context:
    """The text of one call about these threads; `each` is the bound for a new message, in tokens."""
    labels: dict[str, ChunkId] = {}
    parts = []
    place = None
    for thread in sorted(threads, key=lambda one: one.source_id):
        if thread.source_id != place:
            parts.append(f"## {thread.source_name} ({thread.channel})")
        place = thread.source_id
        parts.append(_thread(thread, labels, zone=zone, each=each))
    head = f"Now: {now.astimezone(zone):%A %d %B %Y, %H:%M}"
    data = fence("\n".join(parts), nonce)
    return Context(f"{head}\n{data}", labels, tuple(threads))


def _thread(thread: ThreadView, labels: dict[str, ChunkId], *, zone: tzinfo, each: int) -> str:
    shown = _worth_showing(thread)
    unseen = thread.left_out + len(thread.messages) - len(shown)
    lines = [f"### {thread.title}"]
    if unseen:
        lines.append(f"({unseen} other {'message' if unseen == 1 else 'messages'} of it not shown)")
    return "\n".join([*lines, *(_message(message, labels, zone=zone, each=each) for message in shown)])


def _worth_showing(thread: ThreadView) -> list[StoredMessage]:
    """The new messages, the last two before the first of them, and what the person wrote since."""
    first = next((place for place, message in enumerate(thread.messages) if message.is_new), 0)
    return [
        message
        for place, message in enumerate(thread.messages)
        if message.is_new or first - PAST_MESSAGES <= place < first or (place > first and message.from_me)
    ]


def _message(message: StoredMessage, labels: dict[str, ChunkId], *, zone: tzinfo, each: int) -> str:
    author = (
        "Me" if message.from_me else display_name(message.author.name, message.author.address) or "unknown"
    )
    told = f"{author}, {message.sent_at.astimezone(zone):%a %d %b %H:%M}"
    bound = each if message.is_new else min(each, PAST_TOKENS_EACH)
    passages: list[str] = []
    for chunk, words in _passages(message, bound):
        label = f"c{len(labels) + 1}"
        labels[label] = chunk.id
        passages.append(f"[{label}] {'(the same)' if passages else told}\n{words}")
    return "\n".join(passages) or f"{told}\n(no words of their own)"


def _passages(message: StoredMessage, bound: int) -> Iterable[tuple[Chunk, str]]:
    """What is shown of each of the message's chunks, in order."""
    own = _own_sentences(message)
    chosen = _telling(own, message, bound)
    for chunk in message.chunks:
        words = _joined([s for s in own if chunk.start <= s.start < chunk.end], chosen)
        if words:
            yield chunk, words


def _own_sentences(message: StoredMessage) -> list[Sentence]:
    kinds = (ZoneKind.NEW, ZoneKind.FORWARDED)
    return [
        Sentence(zone.start + s.start, zone.start + s.end, s.text)
        for zone in message.zones
        if zone.kind in kinds
        for s in sentences(message.text[zone.start : zone.end], message.lang)
        if s.text.strip()
    ]


def _telling(own: Sequence[Sentence], message: StoredMessage, bound: int) -> frozenset[int]:
    """The starts of the sentences that fit the bound: all, or those with cues, figures and the opening first."""
    cost = {s.start: estimate_tokens(s.text) for s in own}
    if sum(cost.values()) <= bound:
        return frozenset(cost)
    chosen: set[int] = set()
    left = bound
    for s in sorted(own, key=lambda s: (-_weight(s, own, message), s.start)):
        if cost[s.start] <= left or not chosen:
            chosen.add(s.start)
            left -= cost[s.start]
    return frozenset(chosen)


def _weight(s: Sentence, own: Sequence[Sentence], message: StoredMessage) -> float:
    sighted = max((x.score for x in detect(s.text, lang=message.lang, sent_at=message.sent_at)), default=0.0)
    figures = 0.5 if find_amounts(s.text) or any(letter.isdigit() for letter in s.text) else 0.0
    return 2 * sighted + figures + (0.4 if s is own[0] else 0.0)


def _joined(of_chunk: Sequence[Sentence], chosen: frozenset[int]) -> str:
    parts: list[str] = []
    skipped = 0
    for s in of_chunk:
        if s.start not in chosen:
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
    return " ".join(parts)
