"""What a keyring must do, real or fake; and what happens when it is not there, hangs, or is not safe."""

import threading
import time
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import SecretService, chainer, fail

from heedful.core.secrets import KeyringSecrets, NoKeyringError, Secrets
from tests.fakes.keyring_backends import HangingKeyring, LockedKeyring, LockedService, MemoryKeyring
from tests.fakes.secrets import FakeSecrets, NoSecrets


def no_keyring() -> KeyringBackend:
    """What the library answers with where no backend is installed."""
    return fail.Keyring()  # type: ignore[no-untyped-call] # the library is untyped here


@pytest.fixture
def _own_backend() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture(params=["fake", "real"])
def vault(request: pytest.FixtureRequest, _own_backend: None) -> Secrets:
    if request.param == "fake":
        return FakeSecrets()
    keyring.set_keyring(MemoryKeyring())
    return KeyringSecrets("heedful-test")


def test_a_secret_comes_back_as_it_was_kept(vault: Secrets) -> None:
    vault.set("a", "ä✓" * 100)
    assert vault.get("a") == "ä✓" * 100


def test_a_secret_that_was_never_kept_is_none(vault: Secrets) -> None:
    assert vault.get("nothing") is None


def test_keeping_again_replaces(vault: Secrets) -> None:
    vault.set("a", "first")
    vault.set("a", "second")
    vault.set("b", "other")
    assert (vault.get("a"), vault.get("b")) == ("second", "other")


def test_forgetting_is_quiet_also_where_there_is_nothing(vault: Secrets) -> None:
    vault.set("a", "first")
    vault.delete("a")
    vault.delete("a")
    assert vault.get("a") is None


@pytest.fixture(params=["fake", "real"])
def nothing(request: pytest.FixtureRequest, _own_backend: None) -> Secrets:
    if request.param == "fake":
        return NoSecrets()
    keyring.set_keyring(no_keyring())
    return KeyringSecrets("heedful-test")


def test_without_a_keyring_every_call_says_so(nothing: Secrets) -> None:
    with pytest.raises(NoKeyringError):
        nothing.get("a")
    with pytest.raises(NoKeyringError):
        nothing.set("a", "x")
    with pytest.raises(NoKeyringError):
        nothing.delete("a")


@pytest.fixture
def locked_service(monkeypatch: pytest.MonkeyPatch, _own_backend: None) -> Iterator[HangingKeyring]:
    """A locked Secret Service, whose dialog waits until the test lets go."""
    backend = HangingKeyring()
    keyring.set_keyring(backend)
    monkeypatch.setattr(HangingKeyring, "__module__", SecretService.__name__)
    monkeypatch.setattr(SecretService, "secretstorage", LockedService, raising=False)
    yield backend
    backend.let_go.set()
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(10)


def test_a_keyring_whose_dialog_nobody_answered_yet_is_told_to_be_locked(
    locked_service: HangingKeyring,
) -> None:
    secrets = KeyringSecrets("heedful-test", timeout_s=0.05)
    with pytest.raises(NoKeyringError, match="keyring is locked") as caught:
        secrets.get("a")
    assert "then try again" in caught.value.hint
    locked_service.let_go.set()
    secrets.set("a", "x")


@pytest.mark.usefixtures("locked_service")
def test_a_secret_waits_for_a_locked_keyring_as_long_as_a_person_may_type_its_password() -> None:
    with pytest.raises(NoKeyringError, match="keyring is locked"):
        KeyringSecrets("heedful-test", timeout_s=60, unlock_s=0.05).set("a", "x")


@pytest.mark.usefixtures("_own_backend")
def test_the_reason_and_the_remedy_are_told() -> None:
    keyring.set_keyring(no_keyring())
    with pytest.raises(NoKeyringError, match="none is installed") as caught:
        KeyringSecrets("heedful-test").get("a")
    assert "HEEDFUL_PASSPHRASE" in caught.value.hint


@pytest.mark.usefixtures("_own_backend")
def test_a_locked_keyring_is_told_without_what_was_asked_for() -> None:
    keyring.set_keyring(LockedKeyring())
    with pytest.raises(NoKeyringError, match="KeyringLocked") as caught:
        KeyringSecrets("heedful-test").set("name-of-secret", "value-of-secret")
    assert "of-secret" not in caught.value.sentence()


@pytest.mark.usefixtures("_own_backend")
def test_two_homes_do_not_see_each_others_secrets() -> None:
    keyring.set_keyring(MemoryKeyring())
    KeyringSecrets("heedful-one").set("a", "one")
    assert KeyringSecrets("heedful-two").get("a") is None


def plain_text_backend() -> KeyringBackend:
    kind = type("PlaintextKeyring", (MemoryKeyring,), {"__module__": "keyrings.alt.file"})
    return kind()  # type: ignore[no-any-return] # made from a KeyringBackend


@pytest.mark.usefixtures("_own_backend")
def test_a_keyring_that_keeps_plain_text_is_never_used() -> None:
    plain = plain_text_backend()
    keyring.set_keyring(plain)
    with pytest.raises(NoKeyringError, match="none is installed"):
        KeyringSecrets("heedful-test").set("a", "secret")
    assert plain.kept == {}  # type: ignore[attr-defined] # a MemoryKeyring


@pytest.mark.usefixtures("_own_backend")
def test_a_safe_keyring_behind_an_unsafe_one_is_used_alone() -> None:
    plain, safe = plain_text_backend(), MemoryKeyring()

    class Chain(chainer.ChainerBackend):
        backends = [no_keyring(), plain, safe]  # noqa: RUF012 (the library's own shape)

    keyring.set_keyring(Chain())  # type: ignore[no-untyped-call] # as above
    KeyringSecrets("heedful-test").set("a", "secret")
    assert safe.kept == {("heedful-test", "a"): "secret"}
    assert plain.kept == {}  # type: ignore[attr-defined] # a MemoryKeyring


@pytest.mark.usefixtures("_own_backend")
def test_a_keyring_that_never_answers_is_given_up_in_time() -> None:
    hanging = HangingKeyring()
    keyring.set_keyring(hanging)
    began = time.monotonic()
    with pytest.raises(NoKeyringError, match="did not answer"):
        KeyringSecrets("heedful-test", timeout_s=0.05).get("a")
    assert time.monotonic() - began < 3.0
    hanging.let_go.set()
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(10)
