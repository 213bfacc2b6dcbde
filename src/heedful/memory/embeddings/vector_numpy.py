"""numpy with one thread for each matrix product: the only way in which this program imports it.

Its linear algebra spins all cores while it waits for them; on a busy machine a two-millisecond question then takes
a hundred. The library reads the variable once, when it is loaded.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""One vector, shape (dimensions,), or several, shape (n, dimensions)."""

__all__ = ["Floats", "NDArray", "np"]
