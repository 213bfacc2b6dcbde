"""Words side by side in one line."""

from heedful.presenters.beside import beside


def test_parts_are_joined_and_empty_ones_left_out() -> None:
    assert beside("Mail", "", "Ana Lopes", "3 h ago") == "Mail · Ana Lopes · 3 h ago"


def test_what_is_written_from_right_to_left_moves_nothing_after_it() -> None:
    assert beside("Mail", "محمد", "5 h ago") == "Mail · \u2068محمد\u2069 · 5 h ago"
    assert beside("דנה", "", "") == "\u2068דנה\u2069"
