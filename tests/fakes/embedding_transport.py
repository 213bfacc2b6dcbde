"""An embedding server without a wire, for addresses that a test can't listen at."""

import json
from collections.abc import Mapping

from heedful.inference import Provider
from heedful.inference.failures import Reply


class Canned:
    """Answers every text with the same vector, wherever it is said to be."""

    async def send(
        self,
        provider: Provider,
        url: str,
        *,
        key: str | None,
        body: Mapping[str, object] | None,
        within_s: float,
    ) -> Reply:
        texts = body["input"] if body is not None else []
        assert isinstance(texts, list)
        data = [{"index": place, "embedding": [3.0, 4.0]} for place in range(len(texts))]
        return Reply(200, {}, json.dumps({"data": data}))
