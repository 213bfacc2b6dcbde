"""Backends to put under the real keyring library: one in memory, one that fails, one that never answers."""

import threading

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class MemoryKeyring(KeyringBackend):
    """Keeps passwords for as long as the test runs."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # the library is untyped here
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError("not found")
        del self.kept[service, username]


class LockedKeyring(MemoryKeyring):
    """Refuses everything."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"{service} {username} is locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"{service} {username} is locked, {len(password)}")


class HangingKeyring(MemoryKeyring):
    """Waits for a prompter that nobody answers, until the test lets go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.let_go.wait(30)
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.let_go.wait(30)
        super().set_password(service, username, password)


class LockedService:
    """Stands where the Secret Service's library stands, for a service that is locked."""

    ItemNotFoundException = LookupError

    @staticmethod
    def dbus_init() -> "LockedService":
        return LockedService()

    @staticmethod
    def Collection(bus: "LockedService", path: str) -> "LockedService":  # noqa: N802 (the library's)
        return bus

    def is_locked(self) -> bool:
        return True

    def close(self) -> None: ...
