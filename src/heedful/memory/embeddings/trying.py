"""What the Test button tells of an embedding server: whether it makes vectors that bring like meanings together."""

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.inference import Inference, Provider, Trial
from heedful.inference.trial import told_of_models
from heedful.memory.embeddings.openai_compatible import Remote
from heedful.memory.embeddings.vector_numpy import Floats

SAME = ("The meeting was moved to Friday.", "They postponed our appointment until the end of the week.")
OTHER = "Boil the potatoes in salted water."


async def try_out(provider: Provider, remote: Remote, inference: Inference, clock: Clock) -> Trial:
    """Asks for the models and for the vectors of three made-up sentences; nothing of the person's is sent.

    Needs the person's consent to the provider, like every call.
    """
    models: tuple[str, ...] = ()
    try:
        models = await inference.models(provider)
        told = told_of_models(provider, models)
        if not provider.model:
            return Trial(False, told, models)
        began = clock.monotonic()
        vectors = await remote.try_out([*SAME, OTHER])
        took_s = clock.monotonic() - began
    except HeedfulError as exc:
        return Trial(False, (exc.sentence(),), models)
    if not _brings_together(vectors):
        return Trial(
            False,
            (
                "It answered, but two sentences of one meaning are no nearer to each other than to a third.",
                "It may be no embedding model.",
            ),
            models,
        )
    return Trial(
        True, (f"It answered in {took_s:.1f} s, with {len(vectors[0])} numbers a passage.", *told), models
    )


def _brings_together(vectors: list[Floats]) -> bool:
    first, second, other = vectors
    return float(first @ second) > max(float(first @ other), float(second @ other))
