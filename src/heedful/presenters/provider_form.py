"""What is typed in a provider's fields, and the settings that it asks for."""

from dataclasses import dataclass

from heedful.core.errors import UserCanFixError
from heedful.core.settings import ProviderSettings

BUILTIN = "builtin"
MOST_THREADS = 50
DEAREST = 100_000.0


@dataclass(frozen=True, slots=True)
class ProviderForm:
    """What is typed in the provider's fields; not yet in force. `key` is empty unless just typed.

    The prices, in US dollars a million tokens, and the threads a call are as typed; empty means as is known.
    """

    preset: str = BUILTIN
    base_url: str = ""
    model: str = ""
    key: str = ""
    input_price: str = ""
    output_price: str = ""
    threads_per_call: str = ""


def form_of(provider: ProviderSettings) -> ProviderForm:
    """The fields as they are for what is in force."""
    return ProviderForm(
        provider.preset,
        provider.base_url,
        provider.model,
        input_price=_price_words(provider.input_price),
        output_price=_price_words(provider.output_price),
        threads_per_call=str(provider.threads_per_call or ""),
    )


def chosen(form: ProviderForm) -> ProviderSettings:
    """The settings that the fields ask for.

    Raises:
        UserCanFixError: A price or the number of threads is none, or one price of the two is missing.
    """
    prices = _price(form.input_price), _price(form.output_price)
    if (prices[0] is None) != (prices[1] is None):
        raise UserCanFixError(
            "One price of the two is missing",
            "A call costs by what goes in and what comes out.",
            "Give both, or none.",
        )
    return ProviderSettings(
        preset=form.preset,
        base_url=form.base_url.strip(),
        model=form.model.strip(),
        threads_per_call=_threads(form.threads_per_call),
        input_price=prices[0],
        output_price=prices[1],
    )


def _price(typed: str) -> float | None:
    words = typed.strip().removeprefix("$").strip().replace(",", ".")
    if not words:
        return None
    try:
        price = float(words)
    except ValueError:
        price = -1.0
    if not 0 <= price <= DEAREST:
        raise UserCanFixError(
            f"“{typed.strip()}” is no price", "It is in US dollars a million tokens.", "Such as 0.15."
        )
    return price


def _price_words(price: float | None) -> str:
    return "" if price is None else f"{price:g}"


def _threads(typed: str) -> int:
    words = typed.strip()
    if not words:
        return 0
    if not (words.isdecimal() and 1 <= int(words) <= MOST_THREADS):
        raise UserCanFixError(
            f"“{words}” is no number of threads",
            "",
            f"Give a whole number from 1 to {MOST_THREADS}, or nothing.",
        )
    return int(words)
