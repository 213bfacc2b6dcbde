"""The store's key: 32 random bytes in the keyring, or made from a passphrase, or knowingly none.

A small slot file beside the store says which, so that a keyring that is missing today can never lead to a fresh
or an unencrypted store by itself. It holds no secret: a salt and a check value for the passphrase.
"""

import hashlib
import hmac
import json
import os
import secrets as random_secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from heedful.core.errors import DamageError, UserCanFixError
from heedful.core.paths import Home, make_private
from heedful.core.secrets import Secrets

KEY_BYTES = 32
SALT_BYTES = 16
CHECK_BYTES = 8
SECRET_NAME = "store-key"

# Argon2id: 1 pass, 46 MiB, 1 lane. Source: OWASP Password Storage Cheat Sheet, the first of its equal settings. RFC
# 9106's second option (3 passes, 64 MiB) costs every command of a headless server three times as long.
_PASSES, _MEMORY_KIB, _LANES = 1, 46 * 1024, 1


class KeyKind(StrEnum):
    """Where the key is."""

    KEYRING = "keyring"
    PASSPHRASE = "passphrase"
    UNENCRYPTED = "unencrypted"


class LockedError(UserCanFixError):
    """The store exists, but its key is not at hand."""


class NoKeyChosenError(UserCanFixError):
    """There is no store yet and no keyring to keep a key in: the person must choose a passphrase, or none."""


@dataclass(frozen=True, slots=True)
class Key:
    """An opened key; `hex` is None for an unencrypted store."""

    kind: KeyKind
    hex: str | None

    def __repr__(self) -> str:
        return f"Key({self.kind})"


@dataclass(frozen=True, slots=True)
class _Slot:
    kind: KeyKind
    salt: str = ""
    check: str = ""


def unlock(home: Home, secrets: Secrets, passphrase: str | None) -> Key:
    """The key of the store in `home`; a new store gets its key in the passphrase given, else in the keyring.

    Raises:
        NoKeyChosenError: There is no store yet, no passphrase, and no keyring.
        LockedError: The passphrase or the keyring's secret is missing or wrong.
        NoKeyringError: The store's key is in a keyring that can't be reached.
        DamageError: The slot file is unreadable.
    """
    slot = _read_slot(home)
    if slot is None:
        return create_key(home, secrets, passphrase)
    match slot.kind:
        case KeyKind.UNENCRYPTED:
            return Key(KeyKind.UNENCRYPTED, None)
        case KeyKind.PASSPHRASE:
            return _from_passphrase(slot, passphrase)
        case KeyKind.KEYRING:
            return _from_keyring(secrets, home)


def kind_of(home: Home) -> KeyKind | None:
    """How the store in `home` is locked; None where none was made yet.

    Raises:
        DamageError: The slot file is unreadable.
    """
    slot = _read_slot(home)
    return None if slot is None else slot.kind


def create_key(
    home: Home,
    secrets: Secrets,
    passphrase: str | None,
    new_bytes: Callable[[int], bytes] = random_secrets.token_bytes,
) -> Key:
    """A key for a store that does not exist yet.

    A key that the keyring holds already belongs to a store that was moved away; the new one shares it, so that the
    old file can be read again once it is put back.

    Raises:
        NoKeyChosenError: No passphrase was given and there is no keyring.
        LockedError: A store is there already, whose slot file is gone.
    """
    if home.database.exists():
        raise LockedError(
            "The store's key slot is missing",
            f"{home.database} exists, but {home.key_slot.name} beside it does not.",
            "Put that file back from a backup, or move the store away to start a fresh one.",
        )
    if passphrase:
        return choose_passphrase(home, passphrase, new_bytes)
    try:
        key = secrets.get(SECRET_NAME)
        if key is None:
            key = new_bytes(KEY_BYTES).hex()
            secrets.set(SECRET_NAME, key)
        kept = secrets.get(SECRET_NAME)
    except UserCanFixError as exc:
        raise _no_key_chosen() from exc
    if kept != key:
        raise _no_key_chosen()
    _write_slot(home, _Slot(KeyKind.KEYRING))
    return _from_keyring(secrets, home)


def choose_passphrase(
    home: Home, passphrase: str, new_bytes: Callable[[int], bytes] = random_secrets.token_bytes
) -> Key:
    """Decides that a new store's key is made from a passphrase, and makes it.

    Raises:
        LockedError: A store, or a decision about its key, is there already.
    """
    _refuse_where_decided(home)
    salt = new_bytes(SALT_BYTES)
    key = _derive(passphrase, salt)
    _write_slot(home, _Slot(KeyKind.PASSPHRASE, salt=salt.hex(), check=_check_value(key)))
    return Key(KeyKind.PASSPHRASE, key.hex())


def choose_unencrypted(home: Home) -> Key:
    """Decides, by the person's explicit word, that a new store is not encrypted.

    Raises:
        LockedError: A store, or a decision about its key, is there already.
    """
    _refuse_where_decided(home)
    _write_slot(home, _Slot(KeyKind.UNENCRYPTED))
    return Key(KeyKind.UNENCRYPTED, None)


def _from_passphrase(slot: _Slot, passphrase: str | None) -> Key:
    if not passphrase:
        raise LockedError(
            "The store is locked", "Its key is made from a passphrase.", "Type it, or set HEEDFUL_PASSPHRASE."
        )
    key = _derive(passphrase, bytes.fromhex(slot.salt))
    if not hmac.compare_digest(_check_value(key), slot.check):
        raise LockedError("That passphrase is not the store's", "Nothing was changed.", "Try again.")
    return Key(KeyKind.PASSPHRASE, key.hex())


def _from_keyring(secrets: Secrets, home: Home) -> Key:
    key = secrets.get(SECRET_NAME)
    if key is None:
        raise LockedError(
            "The store's key is not in the keyring",
            f"Without it {home.database} can't be read by anybody.",
            "Unlock the keyring it was made with, or move the file away to start a fresh store.",
        )
    if not _is_hex(key, KEY_BYTES):
        raise LockedError(
            "The store's key in the keyring is not a key",
            f"Without it {home.database} can't be read by anybody.",
            "Put the keyring back from a backup, or move the file away to start a fresh store.",
        )
    return Key(KeyKind.KEYRING, key)


def _refuse_where_decided(home: Home) -> None:
    if home.key_slot.exists() or home.database.exists():
        raise LockedError(
            "There is a store here already",
            "How it is locked was decided when it was made.",
            "Move it away with its key slot to start a fresh one.",
        )


def _is_hex(text: str, size: int) -> bool:
    return len(text) == 2 * size and set(text) <= set("0123456789abcdef")


def _derive(passphrase: str, salt: bytes) -> bytes:
    from argon2.low_level import Type, hash_secret_raw  # 20 ms that only a passphrase needs

    return hash_secret_raw(
        passphrase.encode(), salt, time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES,
        hash_len=KEY_BYTES, type=Type.ID,
    )  # fmt: skip


def _check_value(key: bytes) -> str:
    return hashlib.blake2b(b"heedful store key", key=key, digest_size=CHECK_BYTES).hexdigest()


def _read_slot(home: Home) -> _Slot | None:
    try:
        return _slot_of(json.loads(home.key_slot.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise DamageError(
            "The store's key slot can't be read",
            f"{home.key_slot} is damaged or belongs to somebody else.",
            "Restore it from a backup; the store itself was not touched.",
        ) from exc


def _slot_of(raw: Any) -> _Slot:  # noqa: ANN401 (JSON that may be anything)
    slot = _Slot(KeyKind(raw["kind"]), str(raw.get("salt", "")), str(raw.get("check", "")))
    whole = _is_hex(slot.salt, SALT_BYTES) and _is_hex(slot.check, CHECK_BYTES)
    if slot.kind is KeyKind.PASSPHRASE and not whole:
        raise ValueError("a passphrase's slot holds its salt and its check value")
    return slot


def _write_slot(home: Home, slot: _Slot) -> None:
    try:
        make_private(home.data)
        fresh = home.key_slot.with_name(home.key_slot.name + ".new")
        with fresh.open("w", encoding="utf-8") as out:
            json.dump({"version": 1, "kind": slot.kind.value, "salt": slot.salt, "check": slot.check}, out)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(home.key_slot)
    except OSError as exc:
        raise UserCanFixError(
            "The store can't be created",
            f"The folder {home.data} can't be written.",
            "Correct its permissions, or choose another folder with --home.",
        ) from exc


def _no_key_chosen() -> NoKeyChosenError:
    return NoKeyChosenError(
        "There is no keyring to keep the store's key in",
        "Heedful never falls back to an unencrypted store by itself.",
        "Set a passphrase with HEEDFUL_PASSPHRASE, or choose in the window.",
    )
