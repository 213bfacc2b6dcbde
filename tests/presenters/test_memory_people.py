"""«Same person?»: what is asked, what an answer does, and taking it back."""

from heedful.presenters.memory_reader import MOST_QUESTIONS
from tests.presenters.memory_room import ANA, Room
from tests.presenters.turns import turns


def names(room: Room) -> tuple[str, str]:
    question = room.presenter.people.view.value
    assert question is not None
    return question.first.name, question.second.name


async def test_the_likeliest_pair_is_asked_about_with_its_evidence(room: Room) -> None:
    question = room.presenter.people.view.value
    assert question is not None
    assert names(room) == ("Jonas Brandt", "J. Brandt")
    assert question.why == "One signs with the other's address; almost the same name."
    assert (question.second.known_by, question.second.note) == ("j.brandt@post.example", "4 passages")
    assert question.place == "1 of 2"


async def test_where_more_are_open_than_are_fetched_at_once_the_number_says_so(room: Room) -> None:
    people = room.presenter.people
    one = room.memory.identities.open[0]
    people.take([one] * MOST_QUESTIONS)
    assert people.view.value is not None
    assert people.view.value.place == "1 of 20 or more"


async def test_a_yes_is_kept_and_the_next_pair_is_asked_about(room: Room) -> None:
    await room.presenter.people.say_same()
    assert room.memory.identities.said == [("merge", "e-jonas brandt", "e-j. brandt")]
    assert names(room) == ("Marta Reis", "Marta")
    await room.presenter.people.say_different()
    assert room.memory.identities.said[-1] == ("refuse", "e-marta reis", "e-marta")
    assert room.presenter.people.view.value is None


async def test_an_answer_can_be_taken_back(room: Room) -> None:
    await room.presenter.people.say_same()
    toast = room.toasts.last.value
    assert toast is not None
    assert toast.take_back is not None
    await toast.take_back()
    await turns()
    assert room.memory.identities.said == []
    assert names(room) == ("Jonas Brandt", "J. Brandt")


async def test_not_sure_is_kept_and_asks_about_somebody_else(room: Room) -> None:
    await room.presenter.people.not_sure()
    assert room.memory.identities.said == [("put off", "e-jonas brandt", "e-j. brandt")]
    assert names(room) == ("Marta Reis", "Marta")
    toast = room.toasts.last.value
    assert toast is not None
    assert toast.text == "Left open; asked again when there is more to go by"
    assert toast.take_back is not None
    await toast.take_back()
    await turns()
    assert names(room) == ("Jonas Brandt", "J. Brandt")


async def test_one_who_is_somebody_else_is_parted_and_the_page_loads_anew(room: Room) -> None:
    room.presenter.open_scope(ANA)
    await turns()
    known = room.view.results.profile
    assert known is not None
    await room.presenter.people.part(known.identities[1])
    assert room.memory.identities.said == [("part", "e-ana lopes 1")]
    toast = room.toasts.last.value
    assert toast is not None
    assert toast.text == "lopes@mar.example is somebody of their own now"
