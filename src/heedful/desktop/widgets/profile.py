"""What a person or thing is known by: a line, and below it every identity that counts as them."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept
from heedful.desktop.widgets.paragraph import META, PLAIN, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.memory_views import IdentityView, ProfileView


class IdentityRow(QWidget):
    """An address or a name, with a way to take it out."""

    def __init__(
        self,
        theme: Theme,
        one: IdentityView,
        part: Callable[[IdentityView], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Paragraph(theme, PLAIN, text=one.name, lines=1, parent=self))
        if one.note:
            words.addWidget(Paragraph(theme, META, text=one.note, lines=1, parent=self))
        row.addLayout(words, 1)
        self.part = Button(theme, "Not the same person", weight=Weight.LINK, parent=self)
        self.part.setAccessibleName(f"{one.name} is not the same person")
        self.part.clicked.connect(lambda: part(one))
        row.addWidget(self.part)


class ProfilePanel(QWidget):
    """The line, and the identities while it is unfolded; each can be taken out where there is more than one."""

    def __init__(
        self, theme: Theme, part: Callable[[IdentityView], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._identities: tuple[IdentityView, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 2, 8)
        column.setSpacing(2)
        self.note = Paragraph(theme, META, lines=2, parent=self)
        column.addWidget(self.note)
        self.unfold = Button(theme, "", weight=Weight.LINK, icon="right", parent=self)
        self.unfold.setCheckable(True)
        self.unfold.toggled.connect(self._turn)
        column.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignLeft)
        self.list = Surface(theme, margins=(12, 5, 12, 6), parent=self)
        column.addWidget(self.list)
        self.list.hide()
        self._rows: Kept[IdentityView, IdentityRow] = Kept(
            self.list.column,
            lambda one: one.id,
            lambda one: IdentityRow(theme, one, part, self.list),
        )

    @property
    def rows(self) -> list[IdentityRow]:
        """The identities in order."""
        return self._rows.widgets

    def say(self, profile: ProfileView | None) -> None:
        """Shows somebody else; hides where there is nobody."""
        self.setVisible(profile is not None)
        if profile is None:
            return
        also = f"also {profile.names}" if profile.names else ""
        self.note.say(" · ".join(part for part in (profile.kind, profile.note, also) if part))
        several = len(profile.identities) > 1
        self.unfold.setVisible(several)
        if not several:
            self.unfold.setChecked(False)
        self.unfold.say(f"{len(profile.identities)} identities count as one")
        self._identities = profile.identities if several else ()
        if self.unfold.isChecked():
            self._rows.show(self._identities)

    def _turn(self, is_open: bool) -> None:
        if is_open:
            self._rows.show(self._identities)
        self.list.setVisible(is_open)
        self.unfold.point("down" if is_open else "right")
