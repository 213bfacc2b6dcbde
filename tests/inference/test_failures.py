import inspect

import httpx
import pytest

from heedful.core.errors import HeedfulError
from heedful.inference.failures import foreign, foreign_kinds
from tests.inference.desk import provider_at

LOCAL = provider_at("http://127.0.0.1:8080")


def _kinds_of_httpx() -> list[type[Exception]]:
    offered = (getattr(httpx, name) for name in dir(httpx))
    return [kind for kind in offered if inspect.isclass(kind) and issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", _kinds_of_httpx(), ids=lambda kind: kind.__name__)
def test_every_error_of_httpx_is_caught_and_becomes_one_of_ours(kind: type[Exception]) -> None:
    assert issubclass(kind, foreign_kinds())
    error = foreign(kind.__new__(kind), LOCAL)
    assert isinstance(error, HeedfulError)
    assert error.title


def test_what_is_none_of_httpx_is_left_alone() -> None:
    with pytest.raises(KeyError):
        foreign(ZeroDivisionError(), LOCAL)
