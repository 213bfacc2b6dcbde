import json

import pytest

from heedful.tokenjuice import Juicer, MemoryOriginals, Squeezed
from tests.tokenjuice.samples import log_lines, log_with, rows

NEEDLES = [
    "2026-06-01T10:05:00 ERROR disk full on /var",
    "2026-06-01T10:05:00 INFO leader election won by node-b",
    "2026-06-01T10:05:00 INFO worker[3] handled item 301 in 987123 ms",
    "Traceback (most recent call last):",
    "2026-06-01T10:05:00 warn: certificate for mail.example ends soon",
]


def squeeze(text: str, command: str | None = None, exit_code: int | None = None) -> Squeezed:
    return Juicer().compress(text, command=command, exit_code=exit_code)


@pytest.mark.parametrize("needle", NEEDLES)
@pytest.mark.parametrize("command", ["journalctl -u app", "some-unknown-tool run", None])
def test_the_one_line_that_differs_survives_in_a_log_of_hundreds(needle: str, command: str | None) -> None:
    text = log_with(needle)

    squeezed = squeeze(text, command, 0 if command else None)

    assert needle in squeezed.text
    assert squeezed.saved_share() >= 0.8


def test_the_pod_that_crashes_survives_among_the_many_that_run() -> None:
    pods = [f"team{n % 5}   web-{n}-7d9c   1/1   Running   0   {n}d" for n in range(180)]
    pods.insert(90, "team2   pay-1-9f3a   0/1   CrashLoopBackOff   17   3d")

    squeezed = squeeze(
        "\n".join(["NAMESPACE NAME READY STATUS RESTARTS AGE", *pods]), "kubectl get pods -A", 0
    )

    assert "pay-1-9f3a" in squeezed.text
    assert squeezed.saved_share() >= 0.8


def test_a_status_that_is_rare_among_numbers_survives() -> None:
    lines = [f"GET /item/{n} HTTP/1.1 200 {900 + n % 90}" for n in range(400)]
    lines[200] = "GET /item/200 HTTP/1.1 500 917"

    assert lines[200] in squeeze("\n".join(lines), "some-proxy log", 0).text


def test_a_failed_command_is_not_reported_as_up_to_date() -> None:
    text = "up to date, audited 300 packages in 1s\nnpm ERR! code EACCES\nnpm ERR! permission denied\n"

    assert "EACCES" in squeeze(text, "npm install", 243).text
    assert "EACCES" in squeeze(text, "npm install").text


def test_a_successful_one_is_reported_in_a_line() -> None:
    text = "up to date, audited 42 packages in 614ms\nfound 0 vulnerabilities\n"

    assert squeeze(text, "npm install", 0).text.startswith("npm install: up to date")


def test_the_exit_code_of_a_failure_is_told() -> None:
    text = log_with("src/app.c:4: undefined reference to `start'")

    assert squeeze(text, "make all", 2).text.startswith("exit 2\n")


def test_a_pinned_quote_survives_with_a_line_of_context() -> None:
    lines = log_lines(600)

    squeezed = Juicer().compress("\n".join(lines), pinned=["handled item 411 in"])

    assert lines[411] in squeezed.text.split("\n")
    assert lines[410] in squeezed.text
    assert lines[412] in squeezed.text


def test_a_pinned_quote_survives_any_budget() -> None:
    lines = log_lines(600)

    squeezed = Juicer().compress("\n".join(lines), pinned=["handled item 411 in"], budget_tokens=30)

    assert "handled item 411 in" in squeezed.text


@pytest.mark.parametrize("budget", [60, 200, 1000])
def test_the_trailer_survives_every_later_cap(budget: int) -> None:
    juicer = Juicer(originals=MemoryOriginals())
    first = juicer.compress("\n".join(log_lines(900)), command="journalctl")

    second = juicer.compress(first.text, budget_tokens=budget)

    assert second.text.split("\n")[-1] == first.text.split("\n")[-1]
    assert f"tj:{first.retrieve_id}" in second.text


def test_a_budget_is_kept_where_nothing_must_stay() -> None:
    squeezed = Juicer().compress("\n".join(log_lines(900)), budget_tokens=150)

    assert squeezed.output_tokens <= 150


def test_json_stays_json_and_keeps_the_element_that_stands_out() -> None:
    squeezed = squeeze(rows(300), "curl -s https://api.example/users", 0)

    document = json.loads(squeezed.text)
    assert "stuck" in squeezed.text
    assert "juice" in document["_juice"]
    assert squeezed.saved_share() >= 0.8


def test_numbers_of_json_are_written_as_they_were_read() -> None:
    text = json.dumps([{"n": 1}] * 40)[:-1] + ', {"n": 1.50, "long": 12345678901234567890123}]'

    told = squeeze(text).text

    assert "1.50" in told
    assert "12345678901234567890123" in told


def test_messages_in_json_are_not_left_out_for_looking_alike() -> None:
    talk = [{"from": "Ana", "text": f"I will send part {n} of the report to you"} for n in range(60)]

    told = squeeze(json.dumps(talk, indent=1)).text

    assert all(f"part {n} of" in told for n in range(60))


def test_the_file_a_person_asked_to_see_is_not_touched() -> None:
    code = "\n".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(200))

    assert squeeze(code, "cat big.py", 0).text == code


def test_lines_of_a_progress_bar_keep_what_they_said_of_an_error() -> None:
    text = "\n".join(f"10%\r50% error: part {n} broken\r100%" for n in range(3))

    assert "error: part 2 broken" in squeeze(text, "some-tool", 0).text


def test_a_text_with_old_line_ends_is_not_cut_to_its_last_line() -> None:
    text = "\r".join(f"Paragraph {n} of a letter from long ago, with words of its own." for n in range(40))

    assert "Paragraph 3 of" in squeeze(text).text
