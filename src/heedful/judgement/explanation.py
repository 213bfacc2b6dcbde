"""«Why this?» and «Why silent?» in sentences, from the reasons that were stored with the verdict."""

from collections.abc import Iterable

from heedful.actionables import Draft


def explain_item(draft: Draft) -> tuple[str, ...]:
    """Why an item is shown: its reasons, its evidence, its date, who found it and how surely."""
    return tuple(_sentence(reason) for reason in draft.reasons)


def explain_silence(reasons: Iterable[str]) -> tuple[str, ...]:
    """Why a message gave nothing."""
    told = tuple(_sentence(reason) for reason in reasons)
    return told or ("Nothing in it asks anything of you.",)


def _sentence(reason: str) -> str:
    bare = reason.strip()
    if not bare:
        return ""
    return bare[0].upper() + bare[1:] + ("" if bare[-1] in ".?!…" else ".")
