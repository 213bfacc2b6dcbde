"""Asking a model, on the person's terms: consent, budget, one bounded call, and a row in the ledger.

From outside: build one `Inference`; ask `ready` for the provider or the reason there is none, load a prompt with
`load_prompt`, put third-party text through `fence`, and `ask`. Nothing else in this room reaches a provider but
`find_local_servers` and `try_out`, which send nothing of the person's. What an item means is not decided here.
"""

from heedful.inference.asking import Inference, NotReady, WhyNot
from heedful.inference.budget import DailyBudgetSpentError
from heedful.inference.egress import Egress, KeptBackError, NoConsentError
from heedful.inference.exchange import ChatAnswer, Usage
from heedful.inference.failures import RefusedError, TooLongError, UnreachableError
from heedful.inference.fence import fence, neutralised, neutralised_json
from heedful.inference.ledger import Ledger
from heedful.inference.ledger_store import LedgerEntry, Outcome
from heedful.inference.local_servers import LocalServer, find_local_servers
from heedful.inference.loose_json import UnreadableError
from heedful.inference.precedence import GaveWayError
from heedful.inference.preset import Preset, Price, Provider, candidate_for, presets, provider_for
from heedful.inference.prompts import Prompt, load_prompt
from heedful.inference.structured import StructuredAnswer
from heedful.inference.tokens import ceiling_tokens, estimate_tokens
from heedful.inference.trial import Trial
from heedful.inference.urls import Endpoint, Reach, endpoint

__all__ = [
    "ChatAnswer",
    "DailyBudgetSpentError",
    "Egress",
    "Endpoint",
    "GaveWayError",
    "Inference",
    "KeptBackError",
    "Ledger",
    "LedgerEntry",
    "LocalServer",
    "NoConsentError",
    "NotReady",
    "Outcome",
    "Preset",
    "Price",
    "Prompt",
    "Provider",
    "Reach",
    "RefusedError",
    "StructuredAnswer",
    "TooLongError",
    "Trial",
    "UnreachableError",
    "UnreadableError",
    "Usage",
    "WhyNot",
    "candidate_for",
    "ceiling_tokens",
    "endpoint",
    "estimate_tokens",
    "fence",
    "find_local_servers",
    "load_prompt",
    "neutralised",
    "neutralised_json",
    "presets",
    "provider_for",
]
