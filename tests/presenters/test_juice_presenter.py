"""Settings → TokenJuice, without a window: a text explained, a rule overruled, savings in words."""

import json
from datetime import date
from pathlib import Path

import pytest

from heedful.core.errors import PassingError
from heedful.core.supervise import Supervisor
from heedful.presenters.juice import JuicePresenter, Pasted
from heedful.presenters.juice_account import SIDE_LINES
from heedful.presenters.toasts import Toasts
from heedful.tokenjuice import RuleBook
from heedful.tokenjuice.originals_store import DaySaved
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeSavings
from tests.presenters.turns import turns

LOG = "\n".join(
    ["ERROR disk full on /srv", *(f"2026-11-24T10:00:{n % 60:02} INFO handled item {n}" for n in range(300))]
)
JOURNAL = Pasted(LOG, "journalctl -u app", "0")


@pytest.fixture
def toasts() -> Toasts:
    return Toasts()


@pytest.fixture
def savings() -> FakeSavings:
    return FakeSavings()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "rules"


@pytest.fixture
def juice(
    folder: Path, savings: FakeSavings, toasts: Toasts, clock: FakeClock, supervisor: Supervisor
) -> JuicePresenter:
    book = RuleBook(user_folders=[folder.parent / "shared", folder])
    return JuicePresenter(book, savings, toasts, own_folder=folder, clock=clock, supervisor=supervisor)


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return folder / name


def written(folder: Path) -> list[str]:
    return [file.name for file in folder.glob("*")]


def mine(rule_id: str, **more: object) -> str:
    return json.dumps({"id": rule_id, "family": "mine", "match": {"argv0": ["journalctl"]}, **more})


async def test_a_text_is_explained_by_its_rule_and_the_rule_s_rivals(juice: JuicePresenter) -> None:
    await juice.explain(JOURNAL)

    account = juice.view.value.account
    assert account is not None
    assert account.rule == "service/journalctl"
    assert account.origin == "built in, service.json"
    assert float(account.score) > float(account.runners_up[0].score)
    assert account.runners_up[-1].rule == "generic/fallback"
    assert "log" in account.looks
    assert account.outcome.endswith("% saved")
    assert not juice.view.value.is_busy


async def test_each_step_says_what_it_cut_with_a_sample(juice: JuicePresenter) -> None:
    await juice.explain(JOURNAL)

    account = juice.view.value.account
    assert account is not None
    step = account.steps[-1]
    assert step.name == "represented"
    assert " removed, " in step.counts
    assert all(line in LOG for line in step.sample)


async def test_both_sides_tell_kept_gone_and_written_lines_apart(juice: JuicePresenter) -> None:
    await juice.explain(JOURNAL)

    account = juice.view.value.account
    assert account is not None
    kept = [line.text for line in account.before.lines if line.fate == "kept"]
    assert "ERROR disk full on /srv" in kept
    assert kept == [line.text for line in account.after.lines if line.fate == "kept"]
    assert any(line.text.startswith("[juice ") for line in account.after.lines if line.fate == "written")
    assert account.before.note.endswith("301 lines")


async def test_a_long_text_is_shown_in_part_and_says_so(juice: JuicePresenter) -> None:
    await juice.explain(Pasted("\n".join(f"line {n}" for n in range(SIDE_LINES + 20))))

    account = juice.view.value.account
    assert account is not None
    assert len(account.before.lines) == SIDE_LINES
    assert account.before.rest == "20 more lines not shown here"


async def test_what_is_pasted_says_no_original_is_kept(juice: JuicePresenter) -> None:
    await juice.explain(JOURNAL)

    account = juice.view.value.account
    assert account is not None
    assert "tj:" not in account.after.lines[-1].text


async def test_a_text_with_nothing_to_gain_says_so(juice: JuicePresenter) -> None:
    await juice.explain(Pasted("See you at noon."))

    account = juice.view.value.account
    assert account is not None
    assert account.outcome == "nothing to gain"
    assert account.steps == ()


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        (Pasted("  \n"), "Paste a text first."),
        (Pasted("text", exit_code="one"), "An exit code is a whole number."),
        (
            Pasted("x" * 2_000_001),
            "That is more than two million characters. Paste a part of it.",
        ),
    ],
    ids=["nothing", "no number", "too long"],
)
async def test_what_can_not_be_explained_is_said(juice: JuicePresenter, pasted: Pasted, words: str) -> None:
    await juice.explain(pasted)

    assert juice.view.value.trouble == words
    assert juice.view.value.account is None


async def test_a_rule_of_one_s_own_is_written_where_it_was_said_and_counts_at_once(
    juice: JuicePresenter, folder: Path, toasts: Toasts
) -> None:
    await juice.explain(JOURNAL)
    juice.edit_as_own()
    draft = juice.view.value.draft
    assert draft is not None
    file = folder / "service-journalctl.json"
    assert draft.where == f"Saving writes {file}."
    document = json.loads(draft.text) | {"family": "mine"}

    await juice.save(json.dumps(document))

    view = juice.view.value
    assert view.draft is None
    assert view.account is not None
    assert view.account.origin == f"yours, {file}"
    assert view.notes[0].title == "service/journalctl"
    assert view.notes[0].detail == f"yours, {file}; replaces the one built in"
    assert toasts.last.value is not None
    assert toasts.last.value.text == f"Saved as {file}"


async def test_a_saved_rule_does_what_the_one_it_began_as_did(juice: JuicePresenter) -> None:
    await juice.explain(JOURNAL)
    before = juice.view.value.account
    juice.edit_as_own()
    draft = juice.view.value.draft
    assert draft is not None

    await juice.save(draft.text)

    after = juice.view.value.account
    assert before is not None
    assert after is not None
    assert before.steps == after.steps


async def test_a_rule_that_is_there_already_is_announced_before_it_is_replaced(
    juice: JuicePresenter, folder: Path
) -> None:
    file = put(folder, "service-journalctl.json", mine("service/journalctl"))
    await juice.explain(JOURNAL)

    juice.edit_as_own()

    draft = juice.view.value.draft
    assert draft is not None
    assert draft.where == f"Saving replaces a rule of yours in {file}."


async def test_a_file_that_was_not_announced_is_not_written_over(juice: JuicePresenter, folder: Path) -> None:
    file = put(folder, "mine-other.json", mine("mine/other"))
    await juice.explain(Pasted(LOG))
    juice.edit_as_own()

    await juice.save(mine("mine/other", drop=["x"]))

    draft = juice.view.value.draft
    assert draft is not None
    assert draft.where == f"Saving replaces a rule of yours in {file}."
    assert file.read_text("utf-8") == mine("mine/other")
    await juice.save(draft.text)
    assert json.loads(file.read_text("utf-8"))["drop"] == ["x"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "This is not JSON"),
        ("[]", "A rule is one JSON object"),
        (mine("mine/x", keep=["(a+)+"]), "your rule"),
        (mine("mine/x", colour="red"), "colour"),
    ],
    ids=["no JSON", "no object", "runs for ever", "unknown key"],
)
async def test_a_bad_rule_is_not_written_and_the_draft_says_why(
    juice: JuicePresenter, folder: Path, text: str, words: str
) -> None:
    await juice.explain(JOURNAL)
    juice.edit_as_own()

    await juice.save(text)

    draft = juice.view.value.draft
    assert draft is not None
    assert draft.text == text
    assert words in draft.trouble
    assert written(folder) == []


async def test_a_folder_that_can_not_be_written_is_said_in_the_draft(
    juice: JuicePresenter, folder: Path
) -> None:
    put(folder.parent, folder.name, "")
    await juice.explain(JOURNAL)
    juice.edit_as_own()
    draft = juice.view.value.draft
    assert draft is not None

    await juice.save(draft.text)

    left = juice.view.value.draft
    assert left is not None
    assert "could not be saved" in left.trouble


async def test_a_saved_rule_that_another_file_wins_over_is_said(
    juice: JuicePresenter, folder: Path, toasts: Toasts
) -> None:
    put(folder, "all.json", mine("service/journalctl"))
    await juice.explain(JOURNAL)
    juice.edit_as_own()
    draft = juice.view.value.draft
    assert draft is not None

    await juice.save(draft.text)

    assert toasts.last.value is not None
    assert toasts.last.value.tone == "failed"
    assert "another rule of that name wins over it" in toasts.last.value.text


async def test_an_edit_can_be_let_go(juice: JuicePresenter, folder: Path) -> None:
    await juice.explain(JOURNAL)
    juice.edit_as_own()

    juice.cancel_edit()
    await juice.save("{}")

    assert juice.view.value.draft is None
    assert written(folder) == []


async def test_files_that_could_not_be_used_are_listed_first(juice: JuicePresenter, folder: Path) -> None:
    put(folder, "a.json", mine("mine/a"))
    put(folder, "b.json", "{")

    await juice.load()

    assert [(note.title, note.tone) for note in juice.view.value.notes] == [
        ("b.json", "failed"),
        ("mine/a", "own"),
    ]


async def test_savings_are_told_for_a_fortnight_and_empty_days_are_empty_bars(
    juice: JuicePresenter, savings: FakeSavings
) -> None:
    savings.days = [
        DaySaved(date(2026, 10, 1), 9, 9000, 1),
        DaySaved(date(2026, 11, 23), 12, 24_000, 6_000),
        DaySaved(date(2026, 11, 24), 1, 1_000, 1_000),
    ]
    juice.refresh()
    while not juice.view.value.savings.bars:
        await turns()

    told = juice.view.value.savings
    assert len(told.bars) == 14
    assert told.bars[-2].words == "Yesterday: 12 texts, 24,000 → 6,000 tokens, 75% saved"
    assert told.bars[-2].height == 18_000
    assert told.bars[-2].cells == ("Yesterday", "12", "24,000", "6,000", "75%")
    assert told.bars[0].words.endswith("nothing was compressed")
    assert told.total == "18,000 of 25,000 tokens in 14 days, 72%"
    juice.close()


async def test_a_record_that_can_not_be_read_leaves_the_rest_of_the_page(
    juice: JuicePresenter, savings: FakeSavings, toasts: Toasts, folder: Path
) -> None:
    savings.failure = PassingError("The store is busy")
    put(folder, "a.json", mine("mine/a"))

    await juice.load()

    assert juice.view.value.savings.bars == ()
    assert juice.view.value.notes[0].title == "mine/a"
    assert toasts.last.value is not None
