"""Which models a server says it has."""

import json

from heedful.core.errors import PassingError
from heedful.inference.failures import Reply, looks_like_html, no_sense
from heedful.inference.preset import Provider

SHOWN_AT_MOST = 500


def read_models(reply: Reply, provider: Provider) -> tuple[str, ...]:
    """The names in the answer to GET /models, in the server's order; a few gateways answer a bare list.

    Raises:
        PassingError: The answer is no list of models.
    """
    try:
        body = json.loads(reply.text)
    except (ValueError, RecursionError) as exc:
        raise no_sense(provider, html=looks_like_html(reply.text)) from exc
    listed = body.get("data", body.get("models")) if isinstance(body, dict) else body
    if not isinstance(listed, list):
        raise PassingError(f"{provider.label} did not list its models", "", "Check the address in Settings.")
    names = (entry.get("id", entry.get("name")) for entry in listed if isinstance(entry, dict))
    return tuple(name for name in names if isinstance(name, str) and name)[:SHOWN_AT_MOST]
