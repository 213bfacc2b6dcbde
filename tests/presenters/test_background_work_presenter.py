"""The background work in words."""

from datetime import timedelta

import pytest

from heedful.core.errors import DamageError
from heedful.core.supervise import Supervisor
from heedful.memory.background_work import Share, WorkNow
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import AT_FULL_PACE, Pace, Verdict
from heedful.memory.work.known_kinds import job_kinds
from heedful.presenters.background_work import KIND_WORDS, BackgroundWorkPresenter, kind_words, pace_words
from heedful.presenters.toasts import Toasts
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeWork

AWAY = KindWork("embed", 0, 1, 0, 0, 0, samples.NOW + timedelta(minutes=4), "The server does not answer.")
BROKEN = KindWork("extract_entities", 0, 0, 0, 0, 2, None, "A bug in Heedful; its log names the place.")
TOMORROW = KindWork("digest", 0, 0, 1, 0, 0, samples.local(25, 0, 10))


@pytest.fixture
def work() -> FakeWork:
    return FakeWork()


@pytest.fixture
def toasts() -> Toasts:
    return Toasts()


@pytest.fixture
def shown(
    work: FakeWork, toasts: Toasts, clock: FakeClock, supervisor: Supervisor
) -> BackgroundWorkPresenter:
    return BackgroundWorkPresenter(work, toasts, clock=clock, supervisor=supervisor)


def test_every_kind_of_job_has_a_name_that_a_person_understands() -> None:
    assert set(job_kinds()) - set(KIND_WORDS) == set()
    assert kind_words("of_another_version") == "Of another version"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (AT_FULL_PACE, "At full pace: the machine has time."),
        (Verdict(Pace.SLOW, "On battery, at 60 %."), "Slow: on battery, at 60 %."),
        (Verdict(Pace.PAUSED, "A program is in full screen."), "Paused: a program is in full screen."),
    ],
)
def test_the_pace_comes_with_its_reason(verdict: Verdict, words: str) -> None:
    assert pace_words(verdict) == words


async def test_what_needs_the_person_comes_first_and_each_kind_says_why(
    shown: BackgroundWorkPresenter, work: FakeWork
) -> None:
    work.state = WorkNow(
        (TOMORROW, AWAY, BROKEN, KindWork("summarise", running=1, due=3)), AT_FULL_PACE, None
    )
    await shown.load()
    view = shown.view.value
    assert [(row.name, row.state, row.reason) for row in view.kinds] == [
        ("Noting people and things", "2 failed", "A bug in Heedful; its log names the place."),
        ("Preparing to match by meaning", "put off until 10:36", "The server does not answer."),
        ("Writing summaries", "running, 3 to go", ""),
        ("Writing the digests of days", "planned for tomorrow 00:10", ""),
    ]
    assert view.note == "2 failed · 1 put off · at work"
    assert (view.can_retry, view.can_wake) == (True, True)
    assert view.kinds[0].sentence == (
        "Noting people and things, 2 failed, A bug in Heedful; its log names the place."
    )


async def test_an_empty_queue_is_a_quiet_line(shown: BackgroundWorkPresenter) -> None:
    await shown.load()
    view = shown.view.value
    assert (view.note, view.kinds, view.can_retry, view.can_wake) == ("nothing to do", (), False, False)


async def test_a_paused_worker_is_seen_in_the_closed_strip(
    shown: BackgroundWorkPresenter, work: FakeWork
) -> None:
    work.state = WorkNow((KindWork("seal", due=1),), Verdict(Pace.PAUSED, "A source is being read."), None)
    await shown.load()
    assert shown.view.value.note == "paused"
    assert shown.view.value.pace == "Paused: a source is being read."
    assert shown.view.value.kinds[0].state == "waits its turn"


async def test_the_progress_of_embedding_is_told(shown: BackgroundWorkPresenter, work: FakeWork) -> None:
    work.state = WorkNow((KindWork("embed", running=1),), AT_FULL_PACE, Share(1204, 3980))
    await shown.load()
    assert shown.view.value.kinds[0].reason == "1,204 of 3,980 passages done."


async def test_failed_work_is_tried_again_and_the_strip_says_so(
    shown: BackgroundWorkPresenter, work: FakeWork, toasts: Toasts
) -> None:
    work.state = WorkNow((BROKEN,), AT_FULL_PACE, None)
    await shown.load()
    await shown.retry_failed()
    assert work.asked == ["retry failed"]
    assert toasts.last.value is not None
    assert toasts.last.value.text == "2 jobs will be tried again"
    assert not shown.view.value.can_retry


async def test_a_queue_that_can_not_be_read_says_why(shown: BackgroundWorkPresenter, work: FakeWork) -> None:
    work.failure = DamageError("The store is damaged")
    await shown.load()
    assert shown.view.value.trouble is not None
    assert shown.view.value.trouble.headline == "The store is damaged"
