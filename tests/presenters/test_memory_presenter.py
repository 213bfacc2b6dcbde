"""The Memory tab: look-ups, lists, letters and the year."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

from heedful.core.bus import Bus
from heedful.core.errors import UserCanFixError
from heedful.core.events import MemoryGrew
from heedful.core.ids import ChunkId, SourceId
from heedful.memory.messages.sources_store import Stop
from heedful.presenters.memory import BEGINNINGS, MEANING_OFF, PAGE, TAKES_PLACE, WITHOUT_MEANING
from heedful.presenters.memory_reader import MOST_HITS
from heedful.presenters.memory_views import DayScope
from tests.fakes import memories, samples
from tests.fakes.clock import FakeClock
from tests.presenters.memory_room import ANA, INBOX, Room
from tests.presenters.turns import turns

TUESDAY = date(2026, 11, 24)


async def test_exact_words_must_all_be_there_and_meaning_takes_what_comes_near(room: Room) -> None:
    await room.look_up("launch checklist")
    assert room.titles() == ["Re: launch checklist"]
    room.presenter.choose("meaning")
    await turns()
    assert room.titles() == ["Q1 launch: press text is final", "Re: launch checklist", "Marta Reis"]
    assert room.view.results.title == "3 passages"


async def test_a_hit_s_line_begins_where_its_words_come_in_sight(room: Room) -> None:
    await room.look_up("guest list")
    (group,) = room.view.results.groups
    (row,) = group.members
    assert row.excerpt.startswith("… ")
    assert "guest list" in row.excerpt[:40]
    await room.look_up("checklist")
    (group,) = room.view.results.groups
    assert group.members[0].excerpt.startswith("Here is the checklist")


async def test_where_more_may_fit_than_are_listed_the_heading_says_so(room: Room) -> None:
    room.memory.messages = [memories.letter("A scarecrow for the beans.", seq=n) for n in range(1, MOST_HITS)]
    await room.look_up("scarecrow")
    assert room.view.results.title == "99 passages"
    room.memory.messages.append(memories.letter("A scarecrow for the beans.", seq=MOST_HITS))
    await room.look_up("scarecrow beans")
    assert room.view.results.title == "The best 100 passages"


async def test_only_the_newest_question_is_answered(room: Room) -> None:
    room.memory.gate = asyncio.Event()
    await room.look_up("cake")
    await room.look_up("invoice")
    room.memory.gate.set()
    await turns(40)
    assert room.titles() == ["Invoice HW-20931"]


async def test_letters_typed_in_haste_are_looked_up_once(room: Room) -> None:
    for text in ("l", "la", "lau", "launch"):
        room.presenter.ask(text)
    await turns()
    assert room.memory.asked == ["launch"]


async def test_a_last_word_that_is_still_typed_counts_as_a_beginning(room: Room) -> None:
    await room.look_up("launch check")
    assert room.titles() == ["Re: launch checklist"]
    assert room.view.results.advice == BEGINNINGS
    await room.look_up("launch checklist")
    assert room.view.results.advice == ""
    await room.look_up('launch "check"')
    assert room.view.results.stage == "nothing"


async def test_nothing_found_says_what_may_help(room: Room) -> None:
    await room.look_up("zebra")
    assert room.view.results.stage == "nothing"
    assert "By meaning" in room.view.results.advice
    room.presenter.choose("meaning")
    await turns()
    assert "Other words may." in room.view.results.advice


async def test_missing_meaning_is_said_only_where_meaning_was_asked_for(room: Room) -> None:
    room.memory.degraded = True
    await room.look_up("launch")
    assert room.view.results.advice == ""
    room.presenter.choose("meaning")
    await turns()
    assert room.view.results.advice == WITHOUT_MEANING


async def test_an_error_is_shown_in_its_own_words_and_the_next_question_works(room: Room) -> None:
    room.memory.failure = UserCanFixError("The store can't be read", "It is locked.", "Close the other one.")
    await room.look_up("launch")
    assert room.view.results.trouble is not None
    assert room.view.results.trouble.headline == "The store can't be read"
    room.memory.failure = None
    await room.look_up("launch checklist")
    assert room.view.results.stage == "found"


async def test_no_words_lead_back_to_the_navigator(room: Room) -> None:
    await room.look_up("launch")
    assert room.page() == "results"
    await room.look_up("  ")
    assert room.page() == "home"


async def test_a_source_is_walked_by_days_and_words_look_within_it(room: Room) -> None:
    room.presenter.open_scope(INBOX)
    await turns()
    assert [group.name for group in room.view.results.groups] == ["Today", "Yesterday", "Older"]
    await room.look_up("launch")
    assert "Marta Reis" not in room.titles()
    await room.look_up("")
    assert room.view.results.title == "Inbox.mbox"


async def test_meaning_says_how_far_it_reaches(room: Room) -> None:
    room.presenter.choose("meaning")
    room.memory.share = 0.42
    await room.look_up("launch")
    assert room.view.results.advice.startswith("Meaning is known of 42% of the memory so far")
    room.memory.share = None
    await room.look_up("launch party")
    assert room.view.results.advice == MEANING_OFF


async def test_words_are_looked_up_among_what_a_person_is_in(room: Room) -> None:
    room.presenter.open_scope(ANA)
    await turns()
    assert [one.words for one in room.view.results.relations][:3] == [
        "works with Jonas Brandt",
        "owns Projeto Ciclone",
        "writes to Marta Reis",
    ]
    await room.look_up("launch")
    assert room.titles() == ["Q1 launch: press text is final"]
    assert room.memory.narrowed[-1].entity_id == ANA.id
    await room.look_up("")
    assert room.view.results.profile is not None


async def test_a_sources_page_says_how_fresh_it_is_and_why_its_reading_stopped(room: Room) -> None:
    inbox, *rest = room.memory.rows
    room.memory.rows = (replace(inbox, stop=Stop("paused", 2_000, 5_000)), *rest)
    await room.presenter.load()
    room.presenter.open_scope(INBOX)
    await turns()
    known = room.view.results.profile
    assert known is not None
    assert known.note == "stopped · read 4 min ago · last new 4 min ago"
    assert room.view.results.advice == "Stopped after 2,000 of about 5,000 messages: you paused it."


async def test_a_persons_page_says_what_they_are_known_by(room: Room) -> None:
    room.presenter.open_scope(ANA)
    await turns()
    known = room.view.results.profile
    assert known is not None
    assert (known.kind, known.note, known.names) == ("Person", "ana@ciclone.example and 1 more", "Nita Lopes")
    assert [one.name for one in known.identities] == ["ana@ciclone.example", "lopes@mar.example"]


async def test_what_a_person_asks_for_is_counted(room: Room) -> None:
    room.presenter.open_scope(ANA)
    await turns()
    assert room.memory.asked_for == ["e-ana lopes"]
    await room.presenter.open_letter(ChunkId("c9-0"))
    await room.look_up("launch jonas")
    await room.presenter.open_letter(ChunkId("c9-0"))
    await turns()
    assert room.memory.asked_for == ["e-ana lopes", "launch jonas: c9-0"]


async def test_words_that_name_somebody_offer_them(room: Room) -> None:
    await room.look_up("ana l")
    assert [(one.name, one.scope) for one in room.view.results.named] == [("Ana Lopes", ANA)]
    await room.look_up("launch")
    assert room.view.results.named == ()


async def test_a_long_list_comes_page_by_page_and_each_passage_once(room: Room, clock: FakeClock) -> None:
    room.memory.messages = [
        memories.letter("Word.", subject=f"Number {n}", seq=n, sent_at=clock.now() - timedelta(minutes=n))
        for n in range(1, 2 * PAGE + 6)
    ]
    room.presenter.open_scope(INBOX)
    await turns()
    assert len(room.titles()) == PAGE
    while room.view.results.has_more:
        await room.presenter.show_more()
    assert room.titles() == [f"Number {n}" for n in range(1, 2 * PAGE + 6)]


async def test_a_day_holds_what_was_said_in_it_by_the_persons_own_clock(room: Room) -> None:
    late = memories.letter("Late.", subject="Late", seq=70, sent_at=samples.local(10, 23, 59))
    early = memories.letter("Early.", subject="Early", seq=71, sent_at=samples.local(11, 0, 0))
    room.memory.messages = [early, late]
    day = date(2026, 11, 10)
    room.presenter.open_scope(DayScope(day, day, "Tue 10 Nov 2026"))
    await turns()
    assert room.titles() == ["Late"]


async def test_a_letter_says_who_when_and_marks_the_words_with_their_inflections(room: Room) -> None:
    await room.look_up("launches")
    await room.presenter.open_letter(ChunkId("c9-0"))
    assert room.letter.when == "Tue 24 Nov 2026, 09:41"
    assert (room.letter.author, room.letter.recipients) == ("Ana Lopes", "Rui Prata")
    (passage,) = room.letter.passages
    assert [passage.text[start:end] for start, end in passage.marks] == ["launch", "launch"]
    assert [passage.text[start:end] for start, end in ((one.start, one.end) for one in passage.links)] == [
        "Projeto Ciclone",
        "Jonas Brandt",
        "Marta Reis",
    ]
    assert passage.links[0].words == "Project · Projeto Ciclone"
    assert room.letter.people[0].name == "Ana Lopes"
    assert room.letter.citation == (
        "Ana Lopes, Tue 24 Nov 2026, 09:41 · Q1 launch: press text is final · Inbox.mbox"
    )


async def test_a_short_word_marks_only_itself(room: Room) -> None:
    room.memory.messages = [memories.letter("An art of arts and the article on art.", seq=80)]
    await room.look_up("art")
    await room.presenter.open_letter(ChunkId("c80-0"))
    (passage,) = room.letter.passages
    assert [passage.text[start:end] for start, end in passage.marks] == ["art", "art"]


async def test_a_long_letter_opens_at_its_passage_and_unfolds_both_ways(room: Room) -> None:
    room.memory.messages = [memories.letter("A sentence.", seq=90, passages=20)]
    await room.presenter.open_letter(ChunkId("c90-10"))
    assert [one.text for one in room.letter.passages if one.is_hit] == ["A sentence. Part 11."]
    assert (len(room.letter.passages), room.letter.earlier, room.letter.later) == (5, 8, 7)
    for shown, earlier, later in ((11, 5, 4), (17, 2, 1), (20, 0, 0), (20, 0, 0)):
        room.presenter.unfold(earlier=True)
        room.presenter.unfold(earlier=False)
        assert (len(room.letter.passages), room.letter.earlier, room.letter.later) == (shown, earlier, later)


async def test_back_leads_from_the_letter_to_its_list_and_from_there_home(room: Room) -> None:
    await room.look_up("launch")
    await room.presenter.open_letter(ChunkId("c9-0"))
    assert room.page() == "letter"
    room.presenter.back()
    assert (room.view.page, len(room.titles())) == ("results", 3)
    room.presenter.back()
    assert (room.view.page, room.view.text) == ("home", "")


async def test_a_passage_that_is_gone_is_looked_up_anew_instead_of_opened(room: Room) -> None:
    await room.look_up("cake")
    room.memory.messages = []
    await room.presenter.open_letter(ChunkId("c7-0"))
    await turns()
    assert (room.view.page, room.view.results.stage) == ("results", "nothing")


async def test_news_is_loaded_only_once_the_tab_was_opened(room: Room, bus: Bus) -> None:
    room.memory.people = ()
    bus.publish([MemoryGrew(SourceId("Inbox.mbox"), 3)])
    await turns()
    assert room.view.home.people
    room.presenter.refresh()
    await turns()
    assert not room.view.home.people
    room.memory.people = (memories.entity("Bruno Sá"),)
    bus.publish([MemoryGrew(SourceId("Inbox.mbox"), 3)])
    await turns()
    assert [one.name for one in room.view.home.people] == ["Bruno Sá"]


async def test_an_empty_memory_and_a_broken_one_are_told_apart(room: Room) -> None:
    room.memory.rows = ()
    await room.presenter.load()
    assert room.stage() == "empty"
    room.memory.failure = UserCanFixError("The store can't be read")
    await room.presenter.load()
    assert room.stage() == "trouble"


async def test_an_entry_of_a_calendar_is_told_by_when_it_takes_place(room: Room, clock: FakeClock) -> None:
    begin = clock.now().astimezone(clock.zone) + timedelta(days=3)
    room.memory.messages.append(memories.entry("Rowing club", begin, begin + timedelta(hours=2)))
    await room.presenter.load()
    assert room.view.home.days[0].name == "Next 7 days"
    await room.look_up("rowing")
    (group,) = room.view.results.groups
    (row,) = group.members
    words = f"{begin:%A} {begin:%H:%M}"
    assert row.when == words
    await room.presenter.open_letter(row.chunk_id)
    assert room.letter.when.endswith(f"{begin:%H:%M}–{begin + timedelta(hours=2):%H:%M}")
    assert room.letter.when in room.letter.citation
    assert room.letter.when in room.letter.whole
    room.presenter.ask("")
    room.presenter.open_scope(room.view.home.days[0].scope)
    await turns()
    results = room.view.results
    assert (results.stage, results.note) == ("found", "1 event")
    assert [(group.name, [row.when for row in group.members]) for group in results.groups] == [
        (TAKES_PLACE, [words])
    ]
    room.presenter.back()
    room.presenter.open_scope(DayScope(begin.date(), begin.date(), "That day"))
    await turns()
    assert room.titles() == ["Rowing club"]


async def test_an_entry_that_was_cancelled_is_told_as_that(room: Room, clock: FakeClock) -> None:
    begin = clock.now().astimezone(clock.zone) + timedelta(days=3)
    entry = memories.entry("Rowing club", begin, begin + timedelta(hours=2))
    gone = tuple(replace(one, status="cancelled") for one in entry.occurrences)
    room.memory.messages.append(replace(entry, occurrences=gone))
    await room.look_up("rowing")
    (group,) = room.view.results.groups
    (row,) = group.members
    assert row.when == "cancelled"
    await room.presenter.open_letter(row.chunk_id)
    assert room.letter.when.endswith(f"{begin + timedelta(hours=2):%H:%M}, cancelled")


async def test_what_came_in_and_takes_place_on_one_day_stands_once(room: Room, clock: FakeClock) -> None:
    now = clock.now()
    room.memory.messages.append(replace(memories.entry("Rowing club", now, now), sent_at=now))
    room.presenter.open_scope(DayScope(now.date(), now.date(), "Today"))
    await turns()
    assert room.titles().count("Rowing club") == 1


async def test_words_looked_up_within_a_day_are_found_in_what_takes_place_then(
    room: Room, clock: FakeClock
) -> None:
    begin = clock.now().astimezone(clock.zone) + timedelta(days=3)
    room.memory.messages.append(memories.entry("Rowing club", begin, begin))
    room.presenter.open_scope(DayScope(begin.date(), begin.date(), "That day"))
    await room.look_up("rowing")
    assert room.titles() == ["Rowing club"]
    await room.look_up("launch")
    assert room.view.results.stage == "nothing"
    assert room.view.results.advice.startswith("Only “That day” was looked through.")


async def test_what_takes_place_and_comes_near_stands_once(room: Room, clock: FakeClock) -> None:
    now = clock.now()
    room.memory.messages.append(replace(memories.entry("Rowing club", now, now), sent_at=now))
    room.memory.degraded = True
    room.presenter.choose("meaning")
    room.presenter.open_scope(DayScope(now.date(), now.date(), "Today"))
    await room.look_up("rowing")
    assert room.titles() == ["Rowing club"]


async def test_a_line_does_not_say_its_subject_again(room: Room, clock: FakeClock) -> None:
    entry = memories.entry("Rowing club", clock.now(), clock.now())
    text = "Rowing club\nAt the lake"
    chunks = (replace(entry.chunks[0], end=len(text)),)
    room.memory.messages.append(replace(entry, text=text, chunks=chunks))
    await room.look_up("lake")
    (group,) = room.view.results.groups
    assert [row.excerpt for row in group.members] == ["At the lake"]
