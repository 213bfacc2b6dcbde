"""Where the store's key comes from, and what happens when it is not there."""

import json
from dataclasses import replace

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, HeedfulError, UserCanFixError
from heedful.core.paths import Home
from heedful.storage import Key, KeyKind, Store, choose_passphrase, choose_unencrypted, create_key, unlock
from heedful.storage.keys import LockedError, NoKeyChosenError, kind_of
from tests.fakes.secrets import FakeSecrets, NoSecrets


def fixed_bytes(size: int) -> bytes:
    return bytes(range(size))


def made(home: Home, key: Key) -> None:
    Store.open(home, key, Bus()).close()


def test_a_fresh_store_gets_32_random_bytes_that_only_the_keyring_holds(
    home: Home, secrets: FakeSecrets
) -> None:
    key = create_key(home, secrets, None, fixed_bytes)
    assert key == Key(KeyKind.KEYRING, bytes(range(32)).hex())
    assert secrets.kept == {"store-key": key.hex}
    assert str(key.hex) not in home.key_slot.read_text(encoding="utf-8")
    assert kind_of(home) is KeyKind.KEYRING


def test_the_same_key_comes_back_after_a_restart(home: Home, secrets: FakeSecrets) -> None:
    assert unlock(home, secrets, None) == unlock(home, secrets, None)


def test_a_passphrase_wins_over_the_keyring_for_a_fresh_store_and_needs_none(home: Home) -> None:
    key = unlock(home, NoSecrets(), "correct horse")
    assert key.kind is KeyKind.PASSPHRASE
    assert unlock(home, NoSecrets(), "correct horse") == key


def test_two_stores_with_one_passphrase_have_different_keys(home: Home) -> None:
    other = replace(home, data=home.data / "other")
    first, second = choose_passphrase(home, "correct horse"), choose_passphrase(other, "correct horse")
    assert first.hex != second.hex


@pytest.mark.parametrize("wrong", ["incorrect horse", "correct horse ", "CORRECT HORSE"])
def test_a_wrong_passphrase_is_told_and_opens_nothing(home: Home, wrong: str) -> None:
    choose_passphrase(home, "correct horse")
    with pytest.raises(LockedError, match="not the store's"):
        unlock(home, NoSecrets(), wrong)


@pytest.mark.parametrize("missing", [None, ""])
def test_a_missing_passphrase_is_asked_for(home: Home, missing: str | None) -> None:
    choose_passphrase(home, "correct horse")
    with pytest.raises(LockedError, match="locked") as caught:
        unlock(home, NoSecrets(), missing)
    assert "HEEDFUL_PASSPHRASE" in caught.value.hint


def test_a_passphrase_in_any_script_works(home: Home) -> None:
    key = choose_passphrase(home, "çorrëct 馬 🐴")
    assert unlock(home, NoSecrets(), "çorrëct 馬 🐴") == key


def test_without_keyring_and_passphrase_nothing_is_made_and_the_person_is_asked(home: Home) -> None:
    with pytest.raises(NoKeyChosenError, match="no keyring"):
        unlock(home, NoSecrets(), None)
    assert not home.key_slot.exists()
    assert not home.database.exists()


def test_a_keyring_that_forgets_what_it_is_given_counts_as_none(home: Home) -> None:
    class Forgetful(FakeSecrets):
        def set(self, name: str, value: str) -> None:
            """Takes it and keeps nothing, as keyring's null backend does."""

    with pytest.raises(NoKeyChosenError):
        unlock(home, Forgetful(), None)
    assert not home.key_slot.exists()


def test_a_key_lost_from_the_keyring_is_told_and_the_store_is_left_alone(
    home: Home, secrets: FakeSecrets
) -> None:
    made(home, unlock(home, secrets, None))
    before = home.database.read_bytes()
    secrets.kept.clear()
    with pytest.raises(LockedError, match="not in the keyring") as caught:
        unlock(home, secrets, None)
    assert str(home.database) in caught.value.message
    assert home.database.read_bytes() == before
    assert secrets.kept == {}


def test_a_keyring_that_is_gone_never_leads_to_another_kind_of_store(
    home: Home, secrets: FakeSecrets
) -> None:
    made(home, unlock(home, secrets, None))
    for passphrase in (None, "correct horse"):
        with pytest.raises(UserCanFixError):
            unlock(home, NoSecrets(), passphrase)
    assert kind_of(home) is KeyKind.KEYRING


def test_a_store_without_its_slot_is_not_given_a_new_key(home: Home, secrets: FakeSecrets) -> None:
    made(home, unlock(home, secrets, None))
    home.key_slot.unlink()
    for passphrase in (None, "correct horse"):
        with pytest.raises(LockedError, match="slot is missing"):
            unlock(home, secrets, passphrase)


def test_a_store_moved_away_can_be_read_again_once_it_is_put_back(home: Home, secrets: FakeSecrets) -> None:
    old = unlock(home, secrets, None)
    made(home, old)
    aside = home.data.with_name("aside")
    home.data.rename(aside)
    made(home, unlock(home, secrets, None))
    home.data.rename(home.data.with_name("fresh"))
    aside.rename(home.data)
    assert unlock(home, secrets, None) == old
    made(home, old)


@pytest.mark.parametrize("held", ["", "not a key", "zz" * 32, "AB" * 32, "ab" * 31, "ab" * 32 + "'; --"])
def test_something_else_in_the_keyring_is_never_used_as_a_key(
    home: Home, secrets: FakeSecrets, held: str
) -> None:
    made(home, unlock(home, secrets, None))
    secrets.kept["store-key"] = held
    with pytest.raises(LockedError, match="not a key"):
        unlock(home, secrets, None)


def test_an_unencrypted_store_is_only_ever_made_by_an_explicit_word(home: Home, secrets: FakeSecrets) -> None:
    assert choose_unencrypted(home) == Key(KeyKind.UNENCRYPTED, None)
    assert unlock(home, secrets, "ignored") == Key(KeyKind.UNENCRYPTED, None)
    assert secrets.kept == {}


def test_how_a_store_is_locked_can_not_be_decided_a_second_time(home: Home, secrets: FakeSecrets) -> None:
    made(home, unlock(home, secrets, None))
    slot = home.key_slot.read_bytes()
    with pytest.raises(LockedError, match="already"):
        choose_passphrase(home, "correct horse")
    with pytest.raises(LockedError, match="already"):
        choose_unencrypted(home)
    assert home.key_slot.read_bytes() == slot
    home.key_slot.unlink()
    with pytest.raises(LockedError, match="already"):
        choose_unencrypted(home)


@pytest.mark.parametrize(
    "slot",
    [
        "",
        "{",
        "[]",
        "5",
        '{"salt": "00"}',
        '{"kind": "plain"}',
        json.dumps({"kind": "passphrase", "salt": "no hex", "check": "00" * 8}),
        json.dumps({"kind": "passphrase", "salt": "00" * 16, "check": "é" * 16}),
        json.dumps({"kind": "passphrase", "salt": "00" * 16}),
    ],
)
def test_a_damaged_slot_is_told_and_never_replaced(home: Home, secrets: FakeSecrets, slot: str) -> None:
    home.data.mkdir(parents=True)
    home.key_slot.write_text(slot, encoding="utf-8")
    with pytest.raises(DamageError, match="slot can't be read"):
        unlock(home, secrets, "correct horse")
    assert home.key_slot.read_text(encoding="utf-8") == slot
    assert secrets.kept == {}


def test_a_key_never_shows_itself(home: Home) -> None:
    key = choose_passphrase(home, "correct horse")
    assert str(key.hex) not in repr(key)
    assert str(key.hex) not in f"{key}"


def test_a_folder_that_can_not_be_made_is_told_with_a_remedy(home: Home) -> None:
    home.data.parent.mkdir(parents=True)
    home.data.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(HeedfulError) as caught:
        choose_passphrase(home, "correct horse")
    assert caught.value.hint
    with pytest.raises(HeedfulError) as caught:
        choose_unencrypted(home)
    assert caught.value.hint
