"""One Heedful a home: a second start asks the first one to show its window, and leaves."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

RAISE = b"raise\n"
WITHIN_MS = 1_000


class SingleInstance(QObject):
    """Claims a name among this person's programs; `asked` is called when another start wants the window."""

    def __init__(self, name: str, asked: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._asked = asked
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def claim(self) -> bool:
        """Becomes the one, and returns True; False when another one lives, which was asked to show itself."""
        if ask_to_raise(self._name):
            return False
        # Nobody answered: what lies there is the socket file of one that died.
        QLocalServer.removeServer(self._name)
        return self._server.listen(self._name)

    def leave(self) -> None:
        """Gives the name up."""
        self._server.close()

    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda one=socket: self._heard(one))
            socket.disconnected.connect(socket.deleteLater)
            if socket.bytesAvailable():
                self._heard(socket)

    def _heard(self, socket: QLocalSocket) -> None:
        if bytes(socket.readAll().data()) == RAISE:
            socket.write(b"ok\n")
            socket.flush()
            socket.disconnectFromServer()
            self._asked()


def ask_to_raise(name: str) -> bool:
    """Whether a Heedful of that name lives and was asked to show its window."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(WITHIN_MS):
        return False
    socket.write(RAISE)
    socket.flush()
    answered = socket.waitForReadyRead(WITHIN_MS)
    socket.disconnectFromServer()
    return answered
