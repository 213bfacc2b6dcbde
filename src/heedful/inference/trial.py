"""What the Test button found out about a provider, in sentences."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether the provider answered as needed, what to tell the person, and the models it lists."""

    ok: bool
    sentences: tuple[str, ...]
    models: tuple[str, ...] = ()
