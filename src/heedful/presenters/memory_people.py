"""Who is whom: asks the person about pairs that may be one, keeps their word, and takes it back on request."""

from collections.abc import Callable, Sequence

from heedful.memory.entities.canonical import Word
from heedful.memory.entities.registry import Entity
from heedful.presenters.memory_profiles import known_by
from heedful.presenters.memory_reader import MOST_QUESTIONS, MaybeOne
from heedful.presenters.memory_views import IdentityView, PersonView, QuestionView
from heedful.presenters.numbers import count
from heedful.presenters.observed import Observed
from heedful.presenters.ports import IdentitiesPort
from heedful.presenters.toasts import Toasts


class People:
    """One question at a time; `changed` is called when people were joined, parted, or told apart."""

    def __init__(self, identities: IdentitiesPort, toasts: Toasts, *, changed: Callable[[], None]) -> None:
        self.view: Observed[QuestionView | None] = Observed(None)
        self._identities = identities
        self._toasts = toasts
        self._changed = changed
        self._asked: list[MaybeOne] = []

    def take(self, asked: Sequence[MaybeOne]) -> None:
        """Takes the questions that are open now, the likeliest first."""
        self._asked = list(asked)
        self._show()

    async def say_same(self) -> None:
        """They are one person.

        Raises:
            HeedfulError: It was not kept.
        """
        if self._asked:
            one = self._asked[0]
            word = await self._identities.merge(one.first.id, one.second.id)
            self._answered(one, f"{one.first.name} and {one.second.name} are one person now", word)

    async def say_different(self) -> None:
        """They are two, and are never asked about again.

        Raises:
            HeedfulError: It was not kept.
        """
        if self._asked:
            one = self._asked[0]
            word = await self._identities.refuse(one.first.id, one.second.id)
            self._answered(one, f"{one.first.name} and {one.second.name} stay two people", word)

    async def not_sure(self) -> None:
        """Leaves the question open; it is asked again when more speaks for it.

        Raises:
            HeedfulError: It was not kept.
        """
        if self._asked:
            one = self._asked[0]
            word = await self._identities.put_off(one.first.id, one.second.id)
            self._answered(one, "Left open; asked again when there is more to go by", word)

    async def part(self, identity: IdentityView) -> None:
        """Takes one identity out of the person it was counted to.

        Raises:
            HeedfulError: It was not kept.
        """
        word = await self._identities.part(identity.id)
        self._told(f"{identity.name} is somebody of their own now", word)

    def _answered(self, one: MaybeOne, words: str, word: Word) -> None:
        self._asked = [other for other in self._asked if other is not one]
        self._show()
        self._told(words, word)

    def _told(self, words: str, word: Word) -> None:
        async def take_back() -> None:
            await self._identities.take_back(word)
            self._toasts.say("Taken back: who is whom is as it was before")
            self._changed()

        self._toasts.say(words, take_back=take_back)
        self._changed()

    def _show(self) -> None:
        if not self._asked:
            self.view.replace(None)
            return
        one = self._asked[0]
        why = "; ".join(one.reasons)
        more = " or more" if len(self._asked) >= MOST_QUESTIONS else ""
        place = f"1 of {len(self._asked)}{more}" if len(self._asked) > 1 else ""
        self.view.replace(
            QuestionView(_person(one.first), _person(one.second), f"{why[:1].upper()}{why[1:]}.", place)
        )


def _person(one: Entity) -> PersonView:
    return PersonView(one.id, one.name, known_by(one.aliases), count(one.chunks, "passage"))
