"""A keyring in memory, and one that is not there."""

from heedful.core.secrets import NoKeyringError


class FakeSecrets:
    """Keeps secrets for as long as the test runs; passes the contract that the real keyring passes."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def is_locked(self) -> bool:
        return False

    def get(self, name: str) -> str | None:
        return self.kept.get(name)

    def set(self, name: str, value: str) -> None:
        self.kept[name] = value

    def delete(self, name: str) -> None:
        self.kept.pop(name, None)


class NoSecrets:
    """A machine without a keyring."""

    def is_locked(self) -> bool:
        return False

    def get(self, name: str) -> str | None:
        raise NoKeyringError("There is no keyring")

    def set(self, name: str, value: str) -> None:
        raise NoKeyringError("There is no keyring")

    def delete(self, name: str) -> None:
        raise NoKeyringError("There is no keyring")
