import pytest

from tests.judgement.labelled_mailbox import figures, judge_all


def test_the_mailbox_holds_enough_messages_and_at_least_half_of_them_are_nothing() -> None:
    judged = judge_all()
    nothing = sum(one.label != "item" for one in judged)
    assert len(judged) >= 80
    assert nothing >= len(judged) / 2


def test_what_is_shown_is_wanted_and_what_is_wanted_is_shown() -> None:
    found = figures(judge_all())
    assert found.precision >= 0.90
    assert found.recall >= 0.80


@pytest.mark.parametrize("part", ["held_out", "fresh", "second"])
def test_each_part_that_was_judged_unseen_is_judged_as_well(part: str) -> None:
    found = figures(judge_all(), part)
    assert found.precision >= 0.90
    assert found.recall >= 0.80


def test_an_answered_question_is_stored_as_done_not_shown() -> None:
    answered = [one for one in judge_all() if one.label == "done" and one.drafts]
    assert answered
    for one in answered:
        assert one.verdict.verdict == "done"
        assert all(draft.done_by is not None for draft in one.drafts)


def test_every_silent_message_has_a_reason() -> None:
    assert all(one.verdict.reasons and one.verdict.reasons[0] for one in judge_all())


def test_every_title_fits_and_stands_alone() -> None:
    for one in judge_all():
        for draft in one.drafts:
            assert 3 <= len(draft.title) <= 80
            assert len(draft.title.split()) >= 2
