"""Scripts without spaces are parted sign by sign, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.reading import parted


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("明天的会议", "明 天 的 会 议"),
        ("会議は火曜日です。", "会 議 は 火 曜 日 で す。"),
        ("プロジェクトAurora開始", "プ ロ ジ ェ ク ト Aurora 開 始"),
        ("회의는 3시", "회 의 는 3 시"),
        ("Straße, naïve café, встреча, الاجتماع", "Straße, naïve café, встреча, الاجتماع"),
        ("plain words", "plain words"),
        ("", ""),
    ],
)
def test_signs_stand_apart_and_other_words_stay_whole(text: str, apart: str) -> None:
    assert parted(text) == apart


@given(st.text())
def test_nothing_but_spaces_is_added_and_a_second_time_changes_nothing(text: str) -> None:
    apart = parted(text)
    assert apart.replace(" ", "") == text.replace(" ", "")
    assert parted(apart) == apart
