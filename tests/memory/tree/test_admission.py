"""Admission: every signal is kept, a missing one has no weight, and nobody's own words are left out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.memory.messages import messages_store
from heedful.memory.messages.stored import StoredMessage
from heedful.memory.search.exact import search
from heedful.memory.tree import admission_store
from heedful.memory.tree.admission import WEIGHTS, Admission, Signal, admit
from heedful.reading import Zone, ZoneKind
from heedful.sources import Incoming
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.judgement.views import message as received
from tests.memory.grove import settle
from tests.memory.incoming import ANA, RUI, A, do, letter, rows, take, whole

OWN = frozenset([RUI.address])
REAL = "The new boiler costs 2480 euros with fitting; shall I order it by Friday, or do we wait for the other offer?"


async def stored(store: Store, item: Incoming) -> StoredMessage:
    await take(store, A, item)
    return (await store.read(lambda connection: messages_store.messages(connection, [1])))[0]


def judged(message: StoredMessage, *, entities: int | None = None) -> Admission:
    return admit(message, message.chunks[0], own=OWN, entities=entities)


async def test_a_letter_between_people_is_kept_with_every_signal_that_was_there(store: Store) -> None:
    found = judged(await stored(store, letter(1, REAL, reply_to="x0")))
    assert found.is_admitted
    assert set(found.signals) == {
        Signal.LENGTH, Signal.VARIETY, Signal.KIND, Signal.PLACE, Signal.INTERACTION, Signal.FRESH,
    }  # fmt: skip
    assert found.signals[Signal.INTERACTION] == 0.8
    assert found.reason == f"Its score is {found.total:.2f}."


async def test_a_missing_signal_has_no_weight(store: Store) -> None:
    message = await stored(store, letter(1, REAL))
    without, with_it = judged(message), judged(message, entities=0)
    assert Signal.ENTITIES not in without.signals
    weight = sum(WEIGHTS[signal] for signal in without.signals)
    assert with_it.total == pytest.approx(
        without.total * weight / (weight + WEIGHTS[Signal.ENTITIES]), abs=1e-3
    )
    assert with_it.total < without.total < judged(message, entities=5).total


async def test_a_stage_that_was_down_makes_nothing_worse(store: Store) -> None:
    message = await stored(store, letter(1, REAL))
    assert judged(message).total >= judged(message, entities=0).total


@pytest.mark.parametrize("text", ["ok", "👍", "Thanks!", "Yes"])
async def test_what_tells_nothing_by_itself_is_left_out_unless_the_person_wrote_it(
    store: Store, text: str
) -> None:
    message = await stored(store, letter(1, text))
    assert not judged(message).is_admitted
    own = judged(replace(message, from_me=True))
    assert (own.is_admitted, own.reason) == (True, "You wrote it.")


@pytest.mark.parametrize("text", ["At 7?", "Gate B12", "see https://a.example", "@rui call me"])
async def test_a_short_message_that_tells_something_is_kept(store: Store, text: str) -> None:
    assert judged(await stored(store, letter(1, text, channel="telegram"))).is_admitted


@pytest.mark.parametrize(
    "text", ["明天的会议在三点开始，请带上合同。", "来週の会議は火曜日です。", "พรุ่งนี้มีประชุมตอนบ่ายสาม"]
)
async def test_a_sentence_of_a_script_without_spaces_is_not_taken_for_one_word(
    store: Store, text: str
) -> None:
    found = judged(await stored(store, letter(1, text, channel="telegram")))
    assert found.is_admitted
    assert found.signals[Signal.LENGTH] > 0.25


async def test_what_only_quotes_is_left_out(store: Store) -> None:
    found = judged(await stored(store, letter(1, REAL, zones=(Zone(ZoneKind.QUOTED, 0, len(REAL)),))))
    assert not found.is_admitted
    assert found.reason.startswith("It only quotes")


async def test_mass_mail_scores_far_below_a_person(store: Store) -> None:
    person = judged(await stored(store, letter(1, REAL)))
    bulk = judged(replace(await stored(store, letter(1, REAL)), traits=whole(letter(1), bulk=True).traits))
    assert bulk.total < person.total - 0.15


async def test_a_direct_letter_and_a_mention_count_for_more(store: Store) -> None:
    message = await stored(store, letter(1, f"{REAL} Write to {RUI.address}."))
    assert judged(message).signals[Signal.INTERACTION] == 0.5
    crowd = replace(message, to=(ANA, RUI, replace(RUI, address="c@ciclone.example")), text=REAL + " " * 30)
    assert judged(crowd).signals[Signal.INTERACTION] == 0.5
    assert judged(replace(message, text=REAL + " " * 40)).signals[Signal.INTERACTION] == 0.3


async def test_the_verdict_is_kept_and_what_was_left_out_is_still_found(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, letter(1, "hm, maybe"), letter(2, REAL), now=clock.now())
    await settle(store, clock)
    hits = await store.read(lambda connection: search(connection, "hm maybe"))
    assert [hit.external_id for hit in hits] == ["x1"]
    kept = await store.read(lambda connection: admission_store.admission(connection, hits[0].chunk_id))
    assert kept is not None
    assert (kept.is_admitted, kept.reason) == (False, "It is too short to tell anything by itself.")
    assert set(kept.signals) >= {Signal.LENGTH, Signal.INTERACTION}
    other = await store.read(lambda connection: search(connection, "boiler"))
    assert (
        await store.read(lambda connection: admission_store.admission(connection, other[0].chunk_id))
    ) is not None


async def test_a_chunk_that_nobody_judged_yet_has_no_verdict(store: Store) -> None:
    await take(store, A, letter(1, REAL))
    hit = (await store.read(lambda connection: search(connection, "boiler")))[0]
    assert await store.read(lambda connection: admission_store.admission(connection, hit.chunk_id)) is None


async def test_own_words_are_taken_in_once_the_address_is_known_to_be_the_persons(
    store: Store, clock: FakeClock
) -> None:
    await take(store, A, letter(1, "hm, maybe", author=RUI), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT admitted FROM admissions") == [(0,)]

    def know(connection: Connection) -> None:
        connection.execute("INSERT INTO own_addresses (address, origin) VALUES (?, 'stated')", (RUI.address,))

    await do(store, know)
    await take(store, A, letter(2, REAL), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT admitted FROM admissions") == [(1,), (1,)]
    assert await rows(store, "SELECT count(*) FROM node_chunks k JOIN nodes n ON n.id = k.node_id "
        "WHERE n.scope <> 'day'") == [(2,)]  # fmt: skip


async def test_all_own_words_are_taken_in_however_many_were_left_out(store: Store, clock: FakeClock) -> None:
    await take(store, A, *(letter(number, "hm, maybe", author=RUI) for number in range(120)), now=clock.now())
    await settle(store, clock)

    def know(connection: Connection) -> None:
        connection.execute("INSERT INTO own_addresses (address, origin) VALUES (?, 'stated')", (RUI.address,))

    await do(store, know)
    await take(store, A, letter(120, REAL), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT count(*) FROM admissions WHERE admitted") == [(121,)]


@given(st.data())
def test_the_score_is_the_mean_of_the_signals_that_were_there(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet="abc d?1", min_size=1, max_size=200))
    message = received(text, from_me=data.draw(st.booleans()))
    found = judged(message, entities=data.draw(st.one_of(st.none(), st.integers(0, 9))))
    assert min(found.signals.values()) - 1e-3 <= found.total <= max(found.signals.values()) + 1e-3


async def test_what_was_left_out_is_found_by_phrase_number_and_prefix_like_anything_else(
    store: Store, clock: FakeClock
) -> None:
    quoted = letter(1, "Order HW-20931 is ready.", zones=(Zone(ZoneKind.QUOTED, 0, 24),))
    await take(store, A, quoted, letter(2, "hm, perhaps"), now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT DISTINCT admitted FROM admissions") == [(0,)]
    for asked, expected in (("HW-20931", "x1"), ('"is ready"', "x1"), ("perh*", "x2")):
        hits = await store.read(lambda connection, asked=asked: search(connection, asked))  # type: ignore[misc] # the loop's own name
        assert [hit.external_id for hit in hits] == [expected], asked


@given(st.text(min_size=1, max_size=300), st.booleans(), st.one_of(st.none(), st.integers(0, 50)))
def test_whatever_was_said_the_score_is_a_share_and_own_words_stay(
    text: str, mine: bool, entities: int | None
) -> None:
    message = received(text, from_me=mine)
    found = judged(message, entities=entities)
    assert 0.0 <= found.total <= 1.0
    assert all(0.0 <= value <= 1.0 for value in found.signals.values())
    assert found.reason.endswith(".")
    assert found.is_admitted or not mine
