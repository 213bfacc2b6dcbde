"""Asks the person's model which names stand in a passage; of its answer only what stands there counts."""

from heedful.core.errors import BudgetSpentError, RejectedError
from heedful.core.ids import RunId
from heedful.inference import Prompt, Provider, fence
from heedful.memory.entities.grounding import grounded
from heedful.memory.entities.kinds import Sighting
from heedful.memory.entities.named_store import Passage
from heedful.memory.work.kind import Tools

PROMPT = "ENTITIES.md"
MOST_INPUT = 4_000
"""In characters; a passage is mostly shorter."""

MOST_OUTPUT_TOKENS = 400
SHARE_OF_DAY = 0.25
"""How much of the day's allowance may be used before names have to wait: summaries go on until half of it is."""


async def leave_most(tools: Tools) -> None:
    """Lets names be asked for while little of the day is used.

    Raises:
        BudgetSpentError: A quarter of the day's allowance is used.
    """
    if tools.inference is not None and await tools.inference.ledger.share_spent_today() >= SHARE_OF_DAY:
        raise BudgetSpentError(
            "A quarter of today's allowance is used",
            "Names in passages leave the rest to what needs you, and to summaries.",
            "They go on tomorrow by themselves.",
        )


async def named_by_model(
    tools: Tools, provider: Provider, passage: Passage, *, prompt: Prompt, run_id: RunId
) -> tuple[Sighting, ...]:
    """The names that the model saw, at characters of the message; none where its answer is of no use.

    Raises:
        HeedfulError: As `Inference.ask` says, but for an answer of no use.
    """
    if tools.inference is None:
        return ()
    text = passage.text[:MOST_INPUT]
    given = text if tools.juicer is None else tools.juicer.compress(text).text
    try:
        answer = await tools.inference.ask(
            "entities",
            fence(given, tools.new_id()[:8]),
            run_id=run_id,
            prompt=prompt,
            source_ids=(passage.message.source_id,),
            provider=provider,
            max_output_tokens=MOST_OUTPUT_TOKENS,
            gives_way=True,
        )
    except RejectedError:
        return ()
    return passage.placed(grounded(answer.items, text, lang=passage.message.lang))
