"""Asks the person's model for the text of a node, and keeps of the answer only what stands on the passages."""

import asyncio
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from heedful.core.errors import BudgetSpentError, RejectedError
from heedful.core.ids import RunId
from heedful.inference import Ledger, NotReady, Prompt, Provider, Reach, WhyNot, fence
from heedful.memory.tree.attribution import misattributed
from heedful.memory.tree.extractive import Passage, extract
from heedful.memory.tree.grounding import Ground, grounded, runs, tells_enough
from heedful.memory.tree.summaries import BUDGETS, Material, tokens_of
from heedful.memory.tree.tree_store import Written
from heedful.memory.work.kind import Tools
from heedful.reading import guess

if TYPE_CHECKING:  # its rules are read when something is compressed
    from heedful.tokenjuice import Juicer

PROMPT = "SUMMARISE.md"
MOST_INPUT = 20_000
MOST_INPUT_HERE = 8_000
"""In characters: a model on this computer reads some dozens of words a second, and one call has two minutes."""
MOST_OUTPUT_TOKENS = 400
MOST_TEXT = 1000
"""In characters, as the prompt's schema has it: where a server heeds it, a model that repeats itself ends there."""
_LANGUAGES = {"en": "English", "de": "German", "pt": "Portuguese", "es": "Spanish"}
TELLING = 80
"""How many characters of a text tell its language."""

SHARE_OF_DAY = 0.5
"""How much of the day's allowance summaries may take: the rest is for what needs the person."""


class Refused(StrEnum):
    """Why a model's answer is of no use."""

    KEPT_BACK = "it may not see the passages"
    UNREADABLE = "no answer in the form that was asked for"
    LANGUAGE = "another language"
    INVENTED = "too much that does not stand below"
    LONG = "too long"
    THIN = "less than half of the numbers"
    MOUTH = "words in somebody else's mouth"


async def provider_to_ask(tools: Tools) -> Provider | None:
    """The provider, or None where the person chose none.

    Raises:
        HeedfulError: There is one, but it can't be asked now; why, by its remedy.
        BudgetSpentError: Half of the day's allowance is used.
    """
    if tools.inference is None:
        return None
    found = await tools.inference.ready()
    if isinstance(found, NotReady):
        if found.why is WhyNot.BUILTIN or found.error is None:
            return None
        raise found.error
    await _leave_half(tools.inference.ledger)
    return found


async def _leave_half(ledger: Ledger) -> None:
    if await ledger.share_spent_today() >= SHARE_OF_DAY:
        raise BudgetSpentError(
            "Half of today's allowance is used",
            "Summaries leave the rest to what needs you.",
            "They go on tomorrow by themselves.",
        )


async def written_by_model(
    tools: Tools, provider: Provider, made_of: Material, *, prompt: Prompt, run_id: RunId, share: float = 1.0
) -> Written | Refused:
    """The model's text where it stands on the passages, else why the answer is of no use.

    `share` is how much of the passages it is given, of what would be its due.

    Raises:
        HeedfulError: As `Inference.ask` says, but for an answer of no use.
    """
    if tools.inference is None or made_of.sources is None:
        return Refused.KEPT_BACK
    most = MOST_INPUT_HERE if provider.endpoint.reach is Reach.LOOPBACK else MOST_INPUT
    passages = given(made_of, tools.juicer, most=round(most * share))
    try:
        answer = await tools.inference.ask(
            "summarise",
            _headed(fence(passages, tools.new_id()[:8]), made_of.lang),
            run_id=run_id,
            prompt=prompt,
            source_ids=tuple(sorted(made_of.sources)),
            provider=provider,
            max_output_tokens=MOST_OUTPUT_TOKENS,
            gives_way=True,
        )
    except RejectedError:
        return Refused.UNREADABLE
    said = next((text for item in answer.items if isinstance(text := item.get("text"), str)), "")
    at = _reference(made_of, tools)
    held: str | Refused = await asyncio.to_thread(_held, said, passages, made_of, prompt=prompt, at=at)
    if isinstance(held, Refused):
        return held
    return Written(held, tokens_of(held), "model", provider.name, prompt.name)


def _held(said: str, passages: str, made_of: Material, *, prompt: Prompt, at: datetime) -> str | Refused:
    """What of an answer may be told: it stands below, is in the right mouth, and tells enough."""
    if not said.strip():
        return Refused.UNREADABLE
    if len(said) >= TELLING and guess(said, made_of.lang) != made_of.lang:
        return Refused.LANGUAGE
    text = grounded(
        _whole(said), Ground.of(passages), lang=made_of.lang, at=at,
        foreign=runs(prompt.text()) - runs(passages),
    )  # fmt: skip
    if not text:
        return Refused.INVENTED
    if len(text) > 2 * BUDGETS[made_of.node.scope]:
        return Refused.LONG
    if not tells_enough(text, made_of.node.text):
        return Refused.THIN
    return Refused.MOUTH if misattributed(text, made_of.passages, lang=made_of.lang) else text


def _whole(said: str) -> str:
    """A text without the sentence in which it was cut off at its greatest length."""
    if len(said) < MOST_TEXT - 10:
        return said
    end = max(said.rfind(mark) for mark in (". ", "! ", "? ", "。"))
    return said[: end + 1] if end > 0 and said.rstrip()[-1] not in ".!?。…" else said


def given(made_of: Material, juicer: "Juicer | None", *, most: int = MOST_INPUT) -> str:
    """The passages as the model reads them: compressed, and reduced to their best sentences where still too long.

    A passage that is shorter than its share leaves the rest to the others.
    """
    each = _share([len(passage.text) for passage in made_of.passages], most)
    parts = []
    for number, (passage, at) in enumerate(zip(made_of.passages, made_of.days, strict=True), start=1):
        head = f"{passage.label}, " if passage.label else ""
        parts.append(f"[{number}] {head}{at.day} {at:%b %Y}: {_fitted(passage, each, juicer)}")
    return "\n".join(parts)


def _headed(fenced: str, lang: str) -> str:
    """The passages between the name of their language: a small model else answers in its own.

    It heeds most what it read last: below a German mail, one of 1.5 billion parameters wrote English until it was told
    there too.
    """
    named = _LANGUAGES.get(lang)
    return f"Language: {named}\n{fenced}\nWrite in {named}." if named else fenced


def _share(lengths: list[int], most: int) -> int:
    """The most characters of one passage, so that all together have about `most`."""
    room = most
    for left, length in zip(range(len(lengths), 0, -1), sorted(lengths), strict=True):
        if length * left > room:
            return max(200, room // left)
        room -= length
    return most


def _fitted(passage: Passage, most: int, juicer: "Juicer | None") -> str:
    text = passage.text if juicer is None else juicer.compress(passage.text).text
    return text if len(text) <= most else extract([passage], budget=most)


def _reference(made_of: Material, tools: Tools) -> datetime:
    return made_of.days[-1] if made_of.days else tools.clock.now()
