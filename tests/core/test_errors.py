"""The tree of errors, and the sentence each is told in."""

import pytest

from heedful.core.errors import (
    BudgetSpentError,
    DamageError,
    HeedfulError,
    PassingError,
    RejectedError,
    UserCanFixError,
)

REMEDIES = (UserCanFixError, PassingError, RejectedError, BudgetSpentError, DamageError)


@pytest.mark.parametrize("kind", REMEDIES)
def test_every_remedy_is_a_heedful_error_and_no_other_remedy(kind: type[HeedfulError]) -> None:
    assert issubclass(kind, HeedfulError)
    assert not [other for other in REMEDIES if other is not kind and issubclass(kind, other)]
    error = kind("The file is gone", "It was moved", "Choose it again")
    assert (error.title, error.message, error.hint) == ("The file is gone", "It was moved", "Choose it again")
    assert str(error) == "The file is gone"


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (("The file is gone",), "The file is gone."),
        (("The file is gone.", "", "Choose it again"), "The file is gone. Choose it again."),
        (("Is it gone?", " It was moved ", ""), "Is it gone? It was moved."),
        (("Wait…", "Busy"), "Wait… Busy."),
        (("",), ""),
    ],
)
def test_an_error_is_told_in_whole_sentences(parts: tuple[str, ...], sentence: str) -> None:
    assert HeedfulError(*parts).sentence() == sentence


def test_a_passing_error_may_say_how_long_to_wait() -> None:
    assert PassingError("Busy", retry_after_s=7.5).retry_after_s == 7.5
    assert PassingError("Busy").retry_after_s is None
