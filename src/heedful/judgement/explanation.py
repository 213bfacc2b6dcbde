"""«Why this?» and «Why silent?» in sentences, from the reasons that were stored with the verdict."""

from collections.abc import Iterable

from heedful.actionables import Draft

_SURE = 0.8
_LIKELY = 0.6


def explain_item(draft: Draft) -> tuple[str, ...]:
    """Why an item is shown: its reasons, what it rests on, why its rank, who found it and how surely."""
    said = [_sentence(reason) for reason in draft.reasons]
    said.extend(f"It rests on “{evidence.quote}”." for evidence in draft.evidence[:1])
    if draft.done_by is not None:
        said.append(f"It counts as done because of “{draft.done_by.quote}”.")
    if draft.requires_confirmation:
        said.append(
            "It involves money, a signature or something that can't be taken back, so it waits for you."
        )
    said.append(f"Found by {draft.finder}, {_surely(draft.confidence)}.")
    return tuple(sentence for sentence in said if sentence)


def explain_silence(reasons: Iterable[str]) -> tuple[str, ...]:
    """Why a message gave nothing."""
    told = tuple(_sentence(reason) for reason in reasons if reason.strip())
    return told or ("Nothing in it asks anything of you.",)


def _surely(confidence: float) -> str:
    return "quite surely" if confidence >= _SURE else "likely" if confidence >= _LIKELY else "perhaps"


def _sentence(reason: str) -> str:
    bare = reason.strip()
    return bare[:1].upper() + bare[1:] + ("" if bare.endswith((".", "?", "…")) else ".") if bare else ""
