"""«Same person as…»: looks for the other, asks once more, makes two one at the person's word, and takes it back."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from heedful.core.errors import HeedfulError
from heedful.core.supervise import Supervisor
from heedful.memory.entities.canonical_people import Candidate
from heedful.presenters.memory_profiles import known_by
from heedful.presenters.memory_views import EntityScope, PersonView
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import IdentitiesPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts

LIKELY = "Something speaks for these. A name or an address finds anybody else."
NOBODY_LIKELY = "A name or an address finds the other."
NOBODY = "Nobody else here goes by that."


@dataclass(frozen=True, slots=True)
class JoiningView:
    """Who is to be one with `name`: `others` to choose from, then `sentence` and `detail` about the one chosen."""

    name: str
    stage: Literal["choosing", "confirming"] = "choosing"
    text: str = ""
    advice: str = ""
    others: tuple[PersonView, ...] = ()
    sentence: str = ""
    detail: str = ""


class Joining:
    """One person at a time; `changed` is called when two were made one, and when that was taken back."""

    def __init__(
        self,
        identities: IdentitiesPort,
        toasts: Toasts,
        *,
        changed: Callable[[], None],
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[JoiningView | None] = Observed(None)
        self._identities = identities
        self._toasts = toasts
        self._changed = changed
        self._scope: EntityScope | None = None
        self._found: dict[str, Candidate] = {}
        self._chosen: Candidate | None = None
        self._answers = Refresher("same person as", self._answer, supervisor)

    def begin(self, scope: EntityScope) -> None:
        """Offers those who may be one with a person."""
        self._scope, self._found, self._chosen = scope, {}, None
        self.view.replace(JoiningView(scope.name))
        self._answers.request()

    def ask(self, text: str) -> None:
        """Looks for others by words of their name or address."""
        if self.view.value is not None:
            self.view.replace(replace(self.view.value, text=text.strip()))
            self._answers.request()

    def choose(self, other_id: str) -> None:
        """Asks whether one of those on offer is the same person."""
        view, chosen = self.view.value, self._found.get(other_id)
        if view is not None and chosen is not None:
            self._chosen = chosen
            self.view.replace(
                replace(
                    view,
                    stage="confirming",
                    sentence=f"{view.name} and {chosen.entity.name} become one person?",
                    detail=_detail(chosen),
                )
            )

    def choose_again(self) -> None:
        """Leads back to those on offer."""
        self._chosen = None
        if self.view.value is not None:
            self.view.replace(replace(self.view.value, stage="choosing", sentence="", detail=""))

    def leave(self) -> None:
        """Asks no more."""
        self._scope, self._chosen = None, None
        self.view.replace(None)

    async def really(self) -> None:
        """Makes the two one.

        Raises:
            HeedfulError: It was not kept.
        """
        scope, chosen = self._scope, self._chosen
        if scope is None or chosen is None:
            return
        word = await self._identities.merge(scope.id, chosen.entity.id)

        async def take_back() -> None:
            await self._identities.take_back(word)
            self._toasts.say("Taken back: who is whom is as it was before")
            self._changed()

        self.leave()
        self._toasts.say(f"{scope.name} and {chosen.entity.name} are one person now", take_back=take_back)
        self._changed()

    def close(self) -> None:
        """Looks for nobody any more."""
        self._answers.close()

    async def _answer(self) -> None:
        scope, asked = self._scope, self.view.value
        if scope is None or asked is None:
            return
        try:
            found = await self._identities.candidates(scope.id, asked.text)
        except HeedfulError as exc:
            found, advice = (), exc.sentence()
        else:
            advice = _advice(asked.text, is_empty=not found)
        now = self.view.value
        if scope is self._scope and now is not None and now.text == asked.text:
            self._found = {one.entity.id: one for one in found}
            self.view.replace(replace(now, advice=advice, others=tuple(map(_person, found))))


def _advice(text: str, *, is_empty: bool) -> str:
    if text:
        return NOBODY if is_empty else ""
    return NOBODY_LIKELY if is_empty else LIKELY


def _person(one: Candidate) -> PersonView:
    why = "you said they are two" if one.kept_apart else next(iter(one.reasons), "")
    return PersonView(
        one.entity.id,
        one.entity.name,
        " · ".join(part for part in (known_by(one.entity.aliases), why) if part),
        count(one.entity.chunks, "passage"),
    )


def _detail(one: Candidate) -> str:
    brings = " and ".join(
        (
            count(len(one.entity.identities), "address or name", "addresses or names"),
            count(one.entity.chunks, "passage"),
        )
    )
    said = "You said before that they are two; that counts no more. " if one.kept_apart else ""
    return f"{said}{one.entity.name} brings {brings}. “Not the same person” on their page parts them again."
