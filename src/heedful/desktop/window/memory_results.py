"""The Memory tab's lists: what a search found, or what a day, a source, a person or a thing holds."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import FittingColumn, Kept, ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.join_person import JoinPanel, Joins
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.profile import ProfilePanel
from heedful.desktop.widgets.relation_picture import RelationPicture
from heedful.desktop.widgets.result_list import ResultList
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.ways import Way, WayList
from heedful.desktop.window.memory_home import ask_to_forget, way_to
from heedful.presenters.memory_joining import JoiningView
from heedful.presenters.memory_views import (
    EntityScope,
    IdentityView,
    RelationView,
    ResultsView,
    Scope,
    SourceScope,
)

LEAST_UPPER, LEAST_ROWS = 72, 150
LEAST_WHILE_JOINING = 24


class Surroundings(QWidget):
    """What a person or thing is related to, as a picture or as a list."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._relations: tuple[RelationView, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(2)
        self.picture = RelationPicture(desk.theme, self._open, self)
        self.list = ScrollColumn(self)
        self.list.column.setContentsMargins(0, 0, 0, 0)
        self.ways = WayList(desk.theme)
        self.list.column.addWidget(self.ways)
        self.list.column.addStretch(1)
        self.list.setFixedHeight(self.picture.height())
        self.list.hide()
        layout.addWidget(self.picture)
        layout.addWidget(self.list)
        self.turn = Button(desk.theme, "As a list", weight=Weight.LINK, parent=self)
        self.turn.clicked.connect(self._turn)
        layout.addWidget(self.turn, 0, Qt.AlignmentFlag.AlignLeft)

    def say(self, centre: str, relations: tuple[RelationView, ...]) -> None:
        """Shows others; hides where there is nobody around."""
        self.setVisible(bool(relations))
        self.picture.show_around(centre, relations)
        self._relations = relations
        if not self.list.isHidden():
            self._fill()

    def _fill(self) -> None:
        self.ways.show_ways([self._way(place, one) for place, one in enumerate(self._relations)])

    def _way(self, place: int, one: RelationView) -> Way:
        return Way(str(place), one.words, one.note, lambda: self._open(one.entity_id, one.name))

    def _open(self, entity_id: str, name: str) -> None:
        self._desk.memory.open_scope(EntityScope(entity_id, name))

    def _turn(self) -> None:
        is_list = self.list.isHidden()
        if is_list:
            self._fill()
        self.list.setVisible(is_list)
        self.picture.setVisible(not is_list)
        self.turn.say("As a picture" if is_list else "As a list")


class ResultsPage(QWidget):
    """A list of passages with its heading; or a state in words."""

    def __init__(self, desk: Desk, listed: ResultList) -> None:
        super().__init__()
        self._desk = desk
        self._scope: Scope | None = None
        self._is_awaited = False
        self._least_rows = LEAST_ROWS
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 12)
        layout.setSpacing(0)
        layout.addLayout(self._ways())
        layout.addSpacing(4)
        self._head = SectionHead(desk.theme, "", "", self)
        layout.addWidget(self._head)
        self.advice = Paragraph(desk.theme, META, lines=2)
        layout.addWidget(self.advice)
        self._gap = QWidget(self)
        self._gap.setFixedHeight(8)
        layout.addWidget(self._gap)
        self._ground_of_joining = QWidget(self)
        self._ground_of_joining.hide()
        self._joining = QVBoxLayout(self._ground_of_joining)
        self._joining.setContentsMargins(0, 0, 0, 8)
        layout.addWidget(self._ground_of_joining)
        self.joining: JoinPanel | None = None
        layout.addWidget(self._who())
        layout.addWidget(self._rows(listed), 1)
        self._words = QVBoxLayout()
        layout.addLayout(self._words)
        layout.addStretch()
        self._states: Kept[ResultsView, QWidget] = Kept(
            self._words, lambda view: (view.stage, view.trouble, view.advice), self._state
        )
        desk.watches.append(desk.memory.joining.view.watch(self._say_joining))

    def _ways(self) -> QHBoxLayout:
        """The way back at the left, what can be done with the place in sight at the right."""
        theme, slots, memory = self._desk.theme, self._desk.slots, self._desk.memory
        row = QHBoxLayout()
        row.setSpacing(4)
        self.back = Button(theme, "Memory", weight=Weight.LINK, icon="left", parent=self)
        self.back.setAccessibleName("Back to the whole memory")
        self.back.clicked.connect(lambda: slots.call(memory.back))
        self.same = Button(theme, "Same person as…", weight=Weight.LINK, parent=self)
        self.same.clicked.connect(self._begin_joining)
        self.forget = Button(theme, "Forget…", weight=Weight.LINK, parent=self)
        self.forget.clicked.connect(self._ask_to_forget)
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(self.same)
        row.addWidget(self.forget)
        return row

    def _who(self) -> QWidget:
        """What is known of a person or thing, who is around them, and whom the words name."""
        theme = self._desk.theme
        self.upper = FittingColumn(least=LEAST_UPPER, parent=self)
        self.profile = ProfilePanel(theme, self._part)
        self.around = Surroundings(self._desk)
        self._named = QWidget(self)
        named = QVBoxLayout(self._named)
        named.setContentsMargins(0, 0, 0, 8)
        self.named = WayList(theme, self._named)
        named.addWidget(self.named)
        for part in (self.profile, self.around, self._named):
            self.upper.column.addWidget(part)
        return self.upper

    def _rows(self, listed: ResultList) -> QWidget:
        """The list on its ground."""
        slots, memory = self._desk.slots, self._desk.memory
        self._ground = Surface(self._desk.theme, margins=(1, 2, 1, 3))
        self.list = listed
        self.list.near_end.connect(lambda: slots.start("more passages", memory.show_more))
        self._ground.column.addWidget(self.list)
        return self._ground

    def say(self, results: ResultsView) -> None:
        """Shows another list."""
        is_found = results.stage == "found"
        self._scope = results.scope
        scope = "" if results.scope is None else results.scope.name
        title = results.title if scope in ("", results.title) else f"{results.title} in {scope}"
        self._head.say(title, results.note)
        self._head.setVisible(is_found)
        self.advice.say(results.advice if is_found else "")
        for part in (self.advice, self._gap):
            part.setVisible(is_found and bool(results.advice))
        self.profile.say(results.profile)
        self.around.say(scope, results.relations)
        is_person = results.profile is not None and results.profile.is_person
        self.same.setVisible(is_person)
        self.same.setAccessibleName(f"{scope} is the same person as somebody else")
        can_go = isinstance(results.scope, SourceScope) or is_person
        self.forget.setVisible(can_go)
        self.forget.setAccessibleName(f"Forget {scope}")
        self._named.setVisible(bool(results.named))
        self.named.show_ways([way_to(self._desk, place) for place in results.named])
        self._ground.setVisible(is_found)
        self.list.show_groups(results.groups)
        high = self.list.height_of_rows() + 5
        self._ground.setMinimumHeight(min(high, self._least_rows))
        self._ground.setMaximumHeight(high)
        self._states.show([] if is_found else [results])
        if self._is_awaited and results.stage != "searching":
            self._is_awaited = False
            if is_found and self.back.hasFocus():
                self.list.enter()

    def enter(self) -> None:
        """Takes the keyboard: to the rows, or to the way back until there are any."""
        if self.list.isVisible():
            self.list.enter()
        else:
            self._is_awaited = True
            self.back.setFocus(Qt.FocusReason.TabFocusReason)

    def _begin_joining(self) -> None:
        if isinstance(self._scope, EntityScope):
            self._desk.memory.joining.begin(self._scope)

    def _say_joining(self, view: JoiningView | None) -> None:
        if self.joining is None and view is not None:
            self.joining = JoinPanel(self._desk.theme, self._joins(), self)
            self._joining.addWidget(self.joining)
        if self.joining is not None:
            held = view is None and self.joining.isAncestorOf(self.focusWidget())
            self._ground_of_joining.setVisible(view is not None)
            self._make_room(is_joining=view is not None)
            self.joining.say(view)
            if held:
                self.same.setFocus(Qt.FocusReason.TabFocusReason)

    def _make_room(self, *, is_joining: bool) -> None:
        """Lets what is known and the list step back in a low window while somebody is looked for."""
        self.upper.yield_to(LEAST_WHILE_JOINING if is_joining else LEAST_UPPER)
        self._least_rows = LEAST_WHILE_JOINING if is_joining else LEAST_ROWS
        self._ground.setMinimumHeight(min(self._ground.maximumHeight(), self._least_rows))

    def _joins(self) -> Joins:
        joining, slots = self._desk.memory.joining, self._desk.slots
        return Joins(
            ask=lambda text: slots.call(lambda: joining.ask(text)),
            choose=lambda other: slots.call(lambda: joining.choose(other)),
            choose_again=lambda: slots.call(joining.choose_again),
            really=lambda: slots.start("same person as", joining.really),
            leave=lambda: slots.call(joining.leave),
        )

    def _ask_to_forget(self) -> None:
        if isinstance(self._scope, SourceScope | EntityScope):
            ask_to_forget(self._desk, self._scope)

    def _part(self, identity: IdentityView) -> None:
        people = self._desk.memory.people
        self._desk.slots.start(f"part {identity.id}", lambda: people.part(identity))

    def _state(self, results: ResultsView) -> QWidget:
        theme = self._desk.theme
        if results.trouble is not None:
            return EmptyState(theme, results.trouble.headline, results.trouble.advice, glyph="close")
        if results.stage == "searching":
            return EmptyState(theme, "Looking")
        return EmptyState(theme, results.title, results.advice, glyph="memory")
