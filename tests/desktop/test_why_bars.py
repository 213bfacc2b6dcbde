"""The bars that say why a passage was found or kept."""

from pytestqt.qtbot import QtBot

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.why_bars import ScoreBar, WhyBars
from heedful.presenters.memory_views import Bar, WhyFound


def test_a_long_name_is_shown_whole_and_all_bars_begin_at_one_line(qtbot: QtBot) -> None:
    why = WhyBars(Theme("light"))
    qtbot.addWidget(why)
    names = ("near in meaning", "a name that is longer than those of all other signals")
    why.say_found(WhyFound(words="Found.", bars=tuple(Bar(name, 0.5) for name in names)))
    bars = why.findChildren(ScoreBar)
    assert len({bar.sizeHint().width() for bar in bars}) == 1
    assert all(bar.sizeHint().width() > bar.name_width() + 100 for bar in bars)
    why.say_found(WhyFound(words="Found.", bars=(Bar(names[0], 0.5),)))
    assert bars[0].sizeHint().width() < bars[1].sizeHint().width()
