import io
import json
import sys
from pathlib import Path

import pytest

from heedful.cli import main
from tests.tokenjuice.samples import log_with


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEEDFUL_PASSPHRASE", "a passphrase of the test")
    return tmp_path


class _Input:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def _juice(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], data: bytes, *arguments: str
) -> dict[str, object]:
    monkeypatch.setattr(sys, "stdin", _Input(data))
    assert main(["juice", "--home", "home", "--json", *arguments]) == 0
    found: dict[str, object] = json.loads(capfdbinary.readouterr().out)
    return found


@pytest.mark.usefixtures("_folder")
def test_what_comes_in_is_compressed_and_the_original_comes_back(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = log_with("ERROR disk full").encode() + b"\xff"

    told = _juice(monkeypatch, capfdbinary, data, "--command", "journalctl -u app", "--exit-code", "0")

    assert {"text", "rule", "layer", "steps", "input_tokens", "output_tokens", "retrieve_id"} <= set(told)
    assert told["rule"] == "service/journalctl"
    assert "ERROR disk full" in str(told["text"])

    assert main(["juice", "--home", "home", "--original", str(told["retrieve_id"])]) == 0
    assert capfdbinary.readouterr().out == data


@pytest.mark.usefixtures("_folder")
def test_a_folder_of_rules_wins(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    rule = {"id": "mine/app", "family": "mine", "match": {"argv0": ["app"]}, "drop": ["^secret"]}
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "app.json").write_text(json.dumps(rule), "utf-8")
    data = b"secret line that goes away\n" * 5 + b"open line that stays\n" * 3

    told = _juice(monkeypatch, capfdbinary, data, "--command", "app", "--rules", "rules", "--explain")

    assert (told["rule"], told["layer"]) == ("mine/app", "user")
    assert "secret" not in str(told["text"])
    assert told["runners_up"]


@pytest.mark.usefixtures("_folder")
def test_an_unknown_original_is_a_sentence_and_a_failure(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["juice", "--home", "home", "--original", "0" * 16]) == 1

    assert b"There is no original" in capfdbinary.readouterr().err


@pytest.mark.usefixtures("_folder")
def test_a_project_s_rules_count_while_it_is_trusted(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    rule = {"id": "mine/app", "family": "mine", "match": {"argv0": ["app"]}}
    (tmp_path / ".tokenjuice" / "rules").mkdir(parents=True)
    (tmp_path / ".tokenjuice" / "rules" / "app.json").write_text(json.dumps(rule), "utf-8")

    assert _juice(monkeypatch, capfdbinary, b"a line", "--command", "app")["layer"] == "builtin"
    _juice(monkeypatch, capfdbinary, b"", "--trust")
    assert _juice(monkeypatch, capfdbinary, b"a line", "--command", "app")["layer"] == "project"
    _juice(monkeypatch, capfdbinary, b"", "--distrust")
    assert _juice(monkeypatch, capfdbinary, b"a line", "--command", "app")["layer"] == "builtin"
