"""Where files are dropped, or chosen."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.surface import Surface


class DropZone(Surface):
    """Takes local files and folders, and hands their paths on; also what was dropped on the tab around it."""

    def __init__(
        self,
        theme: Theme,
        take: Callable[[list[Path]], None],
        *,
        choose_files: Callable[[], None],
        choose_folder: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, margins=(16, 18, 16, 16), spacing=4, dashed=True, parent=parent)
        self._take = take
        self.setAcceptDrops(True)
        self.column.addWidget(
            Paragraph(theme, TEXT, text="Drop mail, calendars, chats or notes here", centred=True)
        )
        self.column.addWidget(
            Paragraph(
                theme,
                META,
                text="Nothing is copied anywhere but into your own store",
                centred=True,
            )
        )
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 8, 0, 0)
        buttons.setSpacing(8)
        self.files_button = Button(theme, "Choose files…", weight=Weight.PRIMARY, icon="plus", parent=self)
        self.files_button.clicked.connect(choose_files)
        self.folder_button = Button(theme, "Choose a folder…", parent=self)
        self.folder_button.clicked.connect(choose_folder)
        buttons.addStretch(1)
        buttons.addWidget(self.files_button)
        buttons.addWidget(self.folder_button)
        buttons.addStretch(1)
        self.column.addLayout(buttons)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        if dropped_files(event):
            take_a_copy(event)
            self.call_attention(called=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        self.call_attention(called=False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        self.call_attention(called=False)
        paths = dropped_files(event)
        if paths:
            take_a_copy(event)
            self._take(paths)


def dropped_files(event: QDropEvent) -> list[Path]:
    """The files and folders of this computer that were dropped; of anything else none."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


def take_a_copy(event: QDropEvent) -> None:
    """Accepts what is offered; where it is offered to be moved, it is still not to be removed where it was."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
