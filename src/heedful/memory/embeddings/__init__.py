"""Turning texts into vectors: the port, and one file for each way to do it.

`Embedder` is what other rooms rely on, `embedder_for` gives the one that the settings name. What is a unit worth a
vector is said in `units`. Vectors of different models are never compared; a text that can't be embedded has none.

Used outside the memory: `installed`, `openai_compatible`, `read_ahead`, `server`, `trying`,
`vector_store`.
"""

from heedful.memory.embeddings.choosing import embedder_for
from heedful.memory.embeddings.port import Embedder
from heedful.memory.embeddings.units import Unit, embeddable, parts, window

__all__ = ["Embedder", "Unit", "embeddable", "embedder_for", "parts", "window"]
