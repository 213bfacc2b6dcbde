"""«Same person as…»: who is offered, what is asked before, what a yes does."""

from heedful.core.errors import PassingError
from heedful.presenters.memory_joining import JoiningView
from heedful.presenters.memory_views import EntityScope
from tests.presenters.memory_room import Room
from tests.presenters.turns import turns

JONAS = EntityScope("e-jonas brandt", "Jonas Brandt")


def shown(room: Room) -> JoiningView:
    view = room.presenter.joining.view.value
    assert view is not None
    return view


async def begun(room: Room, words: str = "") -> None:
    room.presenter.open_scope(JONAS)
    room.presenter.joining.begin(JONAS)
    if words:
        room.presenter.joining.ask(words)
    await turns()


async def test_those_are_offered_first_for_whom_something_speaks(room: Room) -> None:
    await begun(room)
    assert [(one.name, one.known_by) for one in shown(room).others] == [
        ("J. Brandt", "j.brandt@post.example · almost the same name")
    ]
    assert shown(room).advice.startswith("Something speaks for these")


async def test_anybody_is_found_by_words_and_nobody_is_said_in_words(room: Room) -> None:
    await begun(room, "marta")
    assert [one.name for one in shown(room).others] == ["Marta Reis", "Marta"]
    assert shown(room).advice == ""
    room.presenter.joining.ask("zebra")
    await turns()
    assert (shown(room).others, shown(room).advice) == ((), "Nobody else here goes by that.")


async def test_a_yes_is_kept_and_can_be_taken_back(room: Room) -> None:
    await begun(room, "marta")
    room.presenter.joining.choose("e-marta reis")
    assert shown(room).sentence == "Jonas Brandt and Marta Reis become one person?"
    await room.presenter.joining.really()
    assert room.memory.identities.said == [("merge", "e-jonas brandt", "e-marta reis")]
    assert room.presenter.joining.view.value is None
    toast = room.toasts.last.value
    assert toast is not None
    assert toast.text == "Jonas Brandt and Marta Reis are one person now"
    assert toast.take_back is not None
    await toast.take_back()
    assert room.memory.identities.said == []


async def test_an_earlier_no_is_named_before_it_is_overruled(room: Room) -> None:
    await begun(room, "marta")
    assert shown(room).others[1].known_by == "marta@ciclone.example · you said they are two"
    room.presenter.joining.choose("e-marta")
    assert shown(room).detail.startswith("You said before that they are two; that counts no more.")
    room.presenter.joining.choose_again()
    assert (shown(room).stage, shown(room).sentence) == ("choosing", "")
    await room.presenter.joining.really()
    assert room.memory.identities.said == []


async def test_a_failure_is_told_in_the_panel(room: Room) -> None:
    room.memory.identities.failure = PassingError("The store is busy", "Somebody else writes.", "Try again.")
    await begun(room, "marta")
    assert "The store is busy" in shown(room).advice


async def test_another_page_ends_it(room: Room) -> None:
    await begun(room)
    room.presenter.open_scope(EntityScope("e-marta reis", "Marta Reis"))
    assert room.presenter.joining.view.value is None
