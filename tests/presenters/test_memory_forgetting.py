"""Forgetting from the Memory tab: counted, asked about, done, and told."""

import asyncio

import pytest

from heedful.core.errors import PassingError, RejectedError
from heedful.core.ids import ChunkId, SourceId
from heedful.presenters.memory_views import EntityScope, ForgetView, SourceScope
from tests.presenters.memory_room import ANA, INBOX, Room
from tests.presenters.turns import turns


def asked(room: Room) -> ForgetView:
    view = room.presenter.forgetting.view.value
    assert view is not None
    return view


def told(room: Room) -> str:
    assert room.toasts.last.value is not None
    return room.toasts.last.value.text


async def test_a_message_is_counted_before_it_is_asked_about(room: Room) -> None:
    await room.look_up("launch")
    room.memory.items = 2
    await room.presenter.open_letter(ChunkId("c9-0"))
    await room.presenter.ask_to_forget_letter(whole_thread=False)
    assert asked(room).headline == "Forget “Q1 launch: press text is final”?"
    assert asked(room).goes == "1 message in 1 passage, and 2 items that stand on it."
    assert "Backups made before hold it" in asked(room).stays
    assert len(room.memory.messages) == 9


async def test_a_forgotten_letter_is_gone_from_its_list_and_is_told(room: Room) -> None:
    await room.look_up("launch")
    await room.presenter.open_letter(ChunkId("c9-0"))
    await room.presenter.ask_to_forget_letter(whole_thread=False)
    await room.presenter.forgetting.really()
    assert room.page() == "results"
    assert room.titles() == ["Re: launch checklist", "Marta Reis"]
    await turns()
    assert room.titles() == ["Re: launch checklist", "Marta Reis"]
    assert told(room).startswith("“Q1 launch: press text is final” is forgotten: 1 message, 1 passage.")


async def test_a_source_is_left_when_it_is_forgotten(room: Room) -> None:
    room.presenter.open_scope(INBOX)
    await turns()
    await room.presenter.ask_to_forget_scope(INBOX)
    assert asked(room).goes == "8 messages in 8 passages."
    assert "its files stay where they are" in asked(room).stays
    await room.presenter.forgetting.really()
    await turns()
    assert room.page() == "home"
    assert SourceId("Inbox.mbox") not in {row.id for row in room.memory.rows}


async def test_a_person_is_forgotten_from_their_page(room: Room) -> None:
    room.presenter.open_scope(ANA)
    await turns()
    await room.presenter.ask_to_forget_scope(ANA)
    assert asked(room).headline == "Forget Ana Lopes?"
    await room.presenter.forgetting.really()
    await turns()
    assert room.page() == "home"
    assert "Ana Lopes" not in {place.name for place in room.view.home.people}


async def test_a_conversation_goes_from_a_rows_menu(room: Room) -> None:
    await room.look_up("invoice")
    row = room.view.results.groups[0].members[0]
    await room.presenter.ask_to_forget_row(row, whole_thread=True)
    assert asked(room).headline == "Forget the whole conversation “Invoice HW-20931”?"
    await room.presenter.forgetting.really()
    assert room.titles() == []


async def test_keeping_changes_nothing(room: Room) -> None:
    await room.presenter.ask_to_forget_scope(INBOX)
    room.presenter.forgetting.keep()
    await room.presenter.forgetting.really()
    assert len(room.memory.messages) == 9
    assert room.presenter.forgetting.view.value is None


async def test_what_can_never_be_forgotten_says_why(room: Room) -> None:
    room.memory.failure = RejectedError("That is you", "Forgetting yourself would take out everything.", "")
    await room.presenter.ask_to_forget_scope(EntityScope("e-me", "Rui Prata"))
    assert (asked(room).stage, asked(room).headline) == ("refused", "That is you.")


async def test_what_could_not_be_forgotten_stays_open(room: Room) -> None:
    await room.presenter.open_letter(ChunkId("c9-0"))
    await room.presenter.ask_to_forget_letter(whole_thread=False)
    room.memory.failure = PassingError("The store is busy")
    with pytest.raises(PassingError):
        await room.presenter.forgetting.really()
    assert room.page() == "letter"
    assert room.presenter.forgetting.view.value is None


async def test_while_something_is_forgotten_nothing_else_is_asked_about(room: Room) -> None:
    room.memory.forgetting = asyncio.Event()
    await room.presenter.ask_to_forget_scope(INBOX)
    work = asyncio.ensure_future(room.presenter.forgetting.really())
    await turns()
    assert asked(room).stage == "forgetting"
    assert asked(room).stays.endswith("s so far. Everything else goes on meanwhile.")
    await room.presenter.ask_to_forget_scope(SourceScope(SourceId("other"), "Other"))
    room.presenter.forgetting.keep()
    assert asked(room).headline == "Forgetting “Inbox.mbox”"
    room.memory.forgetting.set()
    await work
    assert told(room).startswith("“Inbox.mbox” is forgotten")
