import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.inference.loose_json import UnreadableError, find_items

A = {"title": "Pay the rent", "evidence": [{"chunk": "c1", "quote": "due today"}]}
B = {"title": "Answer Ana", "evidence": [{"chunk": "c2", "quote": "can you?"}]}
ROOT = json.dumps({"items": [A, B]})


@pytest.mark.parametrize(
    "text",
    [
        ROOT,
        json.dumps([A, B]),
        json.dumps({"actionables": [A, B]}),
        json.dumps({"result": {"items": [A, B]}}),
        json.dumps({"note": "two found", "count": 2, "items": [A, B]}),
        json.dumps({"thought": "Two matters are open.", "items": [A, B]}),
        f"```json\n{ROOT}\n```",
        f"```\n{ROOT}",
        f"Here is what I found:\n\n{ROOT}\n\nLet me know if you need more.",
        f'<think>Items? I might answer []. Or {{"items":[]}}.</think>\n{ROOT}',
        f"Okay, the user wants [] or items.</think>{ROOT}",
        f"<|channel|>analysis<|message|>maybe []<|end|><|start|>assistant<|channel|>final<|message|>{ROOT}",
        ROOT.replace("}]}]}", "},]},],}"),
        f"\ufeff{ROOT}",
        f"{json.dumps(A)}\n{json.dumps(B)}",
        f"{json.dumps(A)},{json.dumps(B)}",
        f'I return {{"items": []}} when empty, but here: {ROOT}',
        f"Given [c1] and [c2]: {ROOT}",
    ],
)
def test_the_items_are_found_however_they_are_wrapped(text: str) -> None:
    assert find_items(text).items == (A, B)


@pytest.mark.parametrize(
    "text", ['{"items":[]}', "[]", "```json\n[]\n```", "{}", '<think>hm</think>{"items": [ ]}']
)
def test_an_empty_list_is_an_answer(text: str) -> None:
    found = find_items(text)
    assert found.items == ()
    assert found.notes == ()


def test_a_single_object_is_one_item() -> None:
    assert find_items(json.dumps(A)).items == (A,)


@pytest.mark.parametrize("cut", range(len(ROOT) - 3, ROOT.index(json.dumps(B)) + 1, -7))
def test_a_truncated_list_keeps_its_whole_items_and_says_so(cut: int) -> None:
    found = find_items(ROOT[:cut])
    assert found.items == (A,)
    assert "cut or broken" in found.notes[0]


def test_a_broken_item_in_the_middle_costs_only_itself() -> None:
    text = '{"items":[' + json.dumps(A) + ', {"title": "He said "no" to it"}, ' + json.dumps(B) + "]}"
    assert find_items(text).items == (A, B)


def test_entries_that_are_no_objects_are_left_out_and_counted() -> None:
    found = find_items(json.dumps({"items": [A, "Answer Ana", 3]}))
    assert found.items == (A,)
    assert found.notes == ("2 of 3 entries of the answer were not objects.",)


def test_numbers_that_are_no_json_become_nothing() -> None:
    assert find_items('[{"title": "x", "confidence": NaN, "big": 1e999, "low": -Infinity}]').items == (
        {"title": "x", "confidence": None, "big": None, "low": None},
    )


def test_raw_line_breaks_in_a_string_are_taken_as_they_are() -> None:
    assert find_items('{"items":[{"title":"two\nlines"}]}').items == ({"title": "two\nlines"},)


def test_commas_inside_strings_stay() -> None:
    assert find_items('{"items":[{"title":"a, } b,] c"}]}').items == ({"title": "a, } b,] c"},)


@pytest.mark.parametrize(
    "text", ["", "No actionable items.", "<think>I wonder", "[1, 2]", "null", "{title: Pay}", "[" * 5000]
)
def test_an_answer_without_json_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError):
        find_items(text)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(['{"', '"title"', ":", '"x"', "}", "[", "]", ",", "<think>", "```", "1e999", " "])
        ).map("".join),
    )
)
def test_any_text_gives_objects_or_is_unreadable(text: str) -> None:
    try:
        found = find_items(text)
    except UnreadableError:
        return
    assert all(isinstance(item, dict) for item in found.items)
    json.dumps(found.items, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["title", "description", "priority"]), st.text(max_size=30), min_size=1
        )
    ),
    st.integers(0, 400),
)
def test_nothing_is_invented_from_a_cut_answer(items: list[dict[str, str]], cut: int) -> None:
    try:
        found = find_items(json.dumps({"items": items})[:cut])
    except UnreadableError:
        return
    assert list(found.items) == items[: len(found.items)]
