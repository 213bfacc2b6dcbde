"""The question before the first byte goes anywhere."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import TEXT, TITLE, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.server_steps import ConsentRequest


class ConsentBox(Surface):
    """Asks, with a yes and a no; gone while nothing is asked."""

    def __init__(
        self,
        theme: Theme,
        *,
        agree: Callable[[], object],
        decline: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, spacing=4, parent=parent)
        self.edge("amber")
        self._headline = Paragraph(theme, TITLE, parent=self)
        self._sentences = Paragraph(theme, TEXT, parent=self)
        self.agree = Button(theme, "Agree", weight=Weight.PRIMARY, parent=self)
        self.decline = Button(theme, "Not now", parent=self)
        self.agree.clicked.connect(lambda: agree())
        self.decline.clicked.connect(lambda: decline())
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.addWidget(self.agree)
        row.addWidget(self.decline)
        row.addStretch(1)
        self.column.addWidget(self._headline)
        self.column.addWidget(self._sentences)
        self.column.addLayout(row)

    def say(self, request: ConsentRequest | None) -> None:
        """Asks, or is gone."""
        self.setVisible(request is not None)
        if request is not None:
            self._headline.say(request.headline)
            self._sentences.say(" ".join(request.sentences))
            self.setAccessibleName(request.headline)
