"""What the memory needs of whatever makes vectors."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from heedful.core.ids import SourceId

if TYPE_CHECKING:  # numpy costs a tenth of a second, which commands that only look things up need not pay
    from heedful.memory.embeddings.vector_numpy import Floats


class Embedder(Protocol):
    """One model. Two embedders with the same `id` give the same vectors for the same texts."""

    @property
    def id(self) -> str:
        """The model's name, kept with each of its vectors."""
        ...

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> "list[Floats | None]":
        """One vector of length one for each text, in order; None for a text that has none.

        `source_ids` are where the texts come from; the person's own question comes from nowhere.

        Raises:
            HeedfulError: The model is not in reach, or may not see these sources.
        """
        ...

    async def kept_back(self) -> frozenset[SourceId]:
        """The sources of which this model may see nothing."""
        ...
