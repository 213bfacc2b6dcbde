"""What the Test button found out about a provider, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from heedful.inference.abilities import Rung
from heedful.inference.preset import Provider
from heedful.inference.structured import StructuredAnswer

NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether the provider answered as needed, what to tell the person, and the models it lists."""

    ok: bool
    sentences: tuple[str, ...]
    models: tuple[str, ...] = ()


def told_of_models(provider: Provider, models: Sequence[str]) -> tuple[str, ...]:
    """What its list of models says about the one that is chosen; nothing where that one is in it."""
    if not models:
        return ("It does not list its models, which does no harm.",)
    named = ", ".join(models[:NAMED_AT_MOST])
    more = f" and {len(models) - NAMED_AT_MOST} more" if len(models) > NAMED_AT_MOST else ""
    if not provider.model:
        return (f"Choose one of its models: {named}{more}.",)
    if provider.model in models:
        return ()
    return (f"It does not list “{provider.model}”, but has: {named}{more}.",)


def told_of_answer(answer: StructuredAnswer) -> tuple[str, ...]:
    """How long the answer took and how firmly the server can be held to a form."""
    took = f"It answered in {answer.answer.duration_ms / 1000:.1f} s."
    match answer.abilities.rung:
        case Rung.JSON_SCHEMA:
            return took, "It keeps to the form it is given."
        case Rung.JSON_OBJECT:
            return took, "It answers in JSON, but can't be held to one form."
        case Rung.PLAIN:
            return took, "It can't be held to a form; its answers are read as well as can be."
        case _:
            assert_never(answer.abilities.rung)
