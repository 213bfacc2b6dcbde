"""The OS keyring as a port: calls that may block or hang for ever run in a thread with a time limit.

Without a prompter a Secret Service can wait for a password that nobody will type, so a call is given three seconds;
one that keeps a secret in a locked keyring has two minutes, for there the person is asked. `keyrings.alt` (plain-text
files) is never accepted.
"""

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from heedful.core.errors import UserCanFixError

T = TypeVar("T")

_DEFAULT_COLLECTION = "/org/freedesktop/secrets/aliases/default"

TIMEOUT_S = 3.0
UNLOCK_S = 120.0
"""How long a person may take to type the password that a locked keyring asks for."""


class NoKeyringError(UserCanFixError):
    """This machine has no usable keyring right now."""


class Secrets(Protocol):
    """Named secrets; names are ours, values never leave memory but to the keyring."""

    def is_locked(self) -> bool:
        """Whether the keyring would ask the person for its own password first; no where it can't be told."""
        ...

    def get(self, name: str) -> str | None:
        """The secret, or None when there is none of that name.

        Raises:
            NoKeyringError: There is no keyring, or it did not answer.
        """
        ...

    def set(self, name: str, value: str) -> None:
        """Keeps a secret under a name, replacing another.

        Raises:
            NoKeyringError: There is no keyring, or it did not answer.
        """
        ...

    def delete(self, name: str) -> None:
        """Forgets a secret; quietly where there is none.

        Raises:
            NoKeyringError: There is no keyring, or it did not answer.
        """
        ...


class KeyringSecrets:
    """The platform's own keyring, below one service name a home."""

    def __init__(self, service: str, timeout_s: float = TIMEOUT_S, *, unlock_s: float = UNLOCK_S) -> None:
        self._service = service
        self._timeout_s = timeout_s
        self._unlock_s = unlock_s

    def is_locked(self) -> bool:
        try:
            return self._call(_asks_first)
        except NoKeyringError:
            return False

    def get(self, name: str) -> str | None:
        return self._call(lambda backend: backend.get_password(self._service, name))

    def set(self, name: str, value: str) -> None:
        within_s = self._unlock_s if self.is_locked() else self._timeout_s
        self._call(lambda backend: backend.set_password(self._service, name, value), within_s)

    def delete(self, name: str) -> None:
        def remove(backend: "_Backend") -> None:
            if backend.get_password(self._service, name) is not None:
                backend.delete_password(self._service, name)

        self._call(remove)

    def _call(self, use: Callable[["_Backend"], T], within_s: float | None = None) -> T:
        answer: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

        def work() -> None:
            try:
                answer.put((use(_safe_backend()), None))
            except BaseException as exc:  # noqa: BLE001 (carried to the caller's thread, which translates it)
                answer.put((None, exc))

        threading.Thread(target=work, name="keyring", daemon=True).start()
        try:
            value, failure = answer.get(timeout=self._timeout_s if within_s is None else within_s)
        except queue.Empty as exc:
            is_locked = use is not _asks_first and self.is_locked()
            raise _locked() if is_locked else _no_keyring("it did not answer") from exc
        if isinstance(failure, NoKeyringError):
            raise failure
        if failure is not None:
            raise _no_keyring(type(failure).__name__) from failure
        return value  # type: ignore[return-value] # None only where T allows it: failure is None here


class _Backend(Protocol):
    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


def _safe_backend() -> _Backend:
    import keyring  # costs 100 ms; only who asks for a secret pays
    from keyring.backends import chainer, fail

    backend = keyring.get_keyring()
    parts = backend.backends if isinstance(backend, chainer.ChainerBackend) else [backend]
    for part in parts:
        if not isinstance(part, fail.Keyring) and not type(part).__module__.startswith("keyrings.alt"):
            return part
    raise _no_keyring("none is installed")


def _asks_first(backend: _Backend) -> bool:
    """Whether a Secret Service is locked.

    WORKAROUND(keyring 25, whatever is asked of a locked Secret Service opens its dialog, which takes what is being
    typed; so the service itself is asked; drop when the library tells without opening).
    """
    if type(backend).__module__ != "keyring.backends.SecretService":
        return False
    from keyring.backends.SecretService import secretstorage  # type: ignore[attr-defined]  # the one it uses

    with contextlib.closing(secretstorage.dbus_init()) as bus:
        where = getattr(backend, "preferred_collection", _DEFAULT_COLLECTION)
        try:
            return bool(secretstorage.Collection(bus, where).is_locked())
        except secretstorage.ItemNotFoundException:
            return True  # it is made first, under a password


def _locked() -> NoKeyringError:
    return NoKeyringError(
        "The system's keyring is locked",
        "Heedful keeps its key and your API keys there.",
        "Unlock it in your system's dialog, then try again.",
    )


def _no_keyring(why: str) -> NoKeyringError:
    return NoKeyringError(
        f"The system's keyring can't be used ({why})",
        "Heedful keeps its key and your API keys there.",
        "Unlock or install one, or set a passphrase with HEEDFUL_PASSPHRASE.",
    )
