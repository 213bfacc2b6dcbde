"""Work on widgets in pieces."""

from PySide6.QtWidgets import QApplication

from heedful.desktop.widgets.by_turns import ByTurns


def test_pieces_are_done_in_order_one_a_turn_and_the_newest_of_a_name(qapp: QApplication) -> None:
    turns = ByTurns(qapp)
    done: list[str] = []
    turns.ask("people", lambda: done.append("people of before"))
    turns.ask("sources", lambda: done.append("sources"))
    turns.ask("people", lambda: done.append("people"))
    assert done == []
    qapp.processEvents()
    assert done == ["people"]
    qapp.processEvents()
    assert done == ["people"]
    qapp.processEvents()
    assert done == ["people", "sources"]
    turns.deleteLater()
