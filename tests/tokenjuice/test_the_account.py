import re

from hypothesis import given
from hypothesis import strategies as st

from heedful.tokenjuice import Juicer, Kind, MemoryOriginals, tokens_in
from tests.tokenjuice.samples import INVITED, THREAD, log_lines, log_with, rows

COMMANDS = st.sampled_from(
    [
        None,
        "git status",
        "git diff",
        "npm install",
        "pytest -q",
        "kubectl get pods",
        "journalctl",
        "ls -la",
        "unknown",
    ]
)
KINDS = st.sampled_from([None, *Kind])
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "", "  ", "ERROR disk full", "> quoted words", "On Monday Ana wrote:", "-- ",
                "Ana: hello", "modified: a.py", "diff --git a/x b/x", "@@ -1 +1 @@", "+new", "-old",
                "a,b,c", "1,2,3", "# Title", "{", "}", '{"a": 1}', "<p>Hello</p>", "BEGIN:VCALENDAR",
                "SUMMARY:x", "[01/02/2026, 10:00:00] Ana: yes?", "\x1b[31mred\x1b[0m", "10%\r20%",
                "Unsubscribe https://news.example/u", "PASSED", "×3", "[-3 lines]",
                "From: a@b.example",
            ]
        ),
        st.text(max_size=60).map(lambda text: text.replace("\n", " ")),
        st.integers(0, 9999).map(lambda number: f"line {number} took {number % 7} ms"),
    ),
    max_size=120,
)  # fmt: skip


@given(LINES, COMMANDS, KINDS, st.sampled_from([None, 0, 1]))
def test_lines_kept_and_removed_are_the_lines_that_came_in(
    lines: list[str], command: str | None, kind: Kind | None, exit_code: int | None
) -> None:
    squeezed = Juicer().compress("\n".join(lines), command=command, kind=kind, exit_code=exit_code)

    removed, written = sum(s.removed for s in squeezed.steps), sum(s.written for s in squeezed.steps)
    assert squeezed.output_lines + removed - written == squeezed.input_lines


@given(LINES, COMMANDS, KINDS)
def test_the_output_is_never_longer_than_the_input(
    lines: list[str], command: str | None, kind: Kind | None
) -> None:
    text = "\n".join(lines)

    squeezed = Juicer(originals=MemoryOriginals()).compress(text, command=command, kind=kind, exit_code=1)

    assert len(squeezed.text) <= len(text)
    assert len(squeezed.text.encode("utf-8", "surrogatepass")) <= len(text.encode("utf-8", "surrogatepass"))
    assert squeezed.output_tokens <= squeezed.input_tokens


@given(LINES, COMMANDS, KINDS)
def test_compressing_twice_changes_nothing_more(
    lines: list[str], command: str | None, kind: Kind | None
) -> None:
    juicer = Juicer(originals=MemoryOriginals())
    once = juicer.compress("\n".join(lines), command=command, kind=kind)

    assert juicer.compress(once.text, command=command, kind=kind).text == once.text


@given(LINES, COMMANDS)
def test_the_same_input_gives_the_same_output(lines: list[str], command: str | None) -> None:
    text = "\n".join(lines)

    assert Juicer().compress(text, command=command) == Juicer().compress(text, command=command)


def test_the_trailer_names_rule_layer_lines_tokens_steps_and_the_original() -> None:
    originals = MemoryOriginals()
    text = log_with("ERROR disk full")

    squeezed = Juicer(originals=originals).compress(text, command="journalctl -u app", exit_code=0)

    trailer = squeezed.text.split("\n")[-1]
    assert trailer.startswith("[juice service/journalctl builtin: lines 601->")
    assert re.search(r"tokens \d+->\d+; represented -\d+; 1 error; tj:[0-9a-f]{16}\]", trailer)
    assert squeezed.retrieve_id is not None
    assert originals.get(squeezed.retrieve_id) == text.encode()


def test_without_a_place_for_originals_nothing_is_promised() -> None:
    squeezed = Juicer().compress(log_with("ERROR disk full"), command="journalctl")

    assert squeezed.retrieve_id is None
    assert "tj:" not in squeezed.text


def test_an_untouched_text_has_no_trailer() -> None:
    text = "Could you call me tomorrow?"

    assert Juicer().compress(text).text == text


def test_equal_neighbours_become_one_line_with_a_count() -> None:
    text = "start\n" + "waiting for the lock of the shared folder\n" * 40 + "done"

    assert (
        "waiting for the lock of the shared folder ×40"
        in Juicer().compress(text, command="brew install x").text
    )


def test_a_line_that_stands_for_others_says_for_how_many() -> None:
    assert "×" in Juicer().compress("\n".join(log_lines(600)), command="journalctl").text


def test_counted_facts_come_with_the_text() -> None:
    text = "test_api.py::test_health PASSED\ntest_api.py::test_save FAILED\n==== 1 failed, 1 passed in 0.12s ====\n"

    squeezed = Juicer().compress(text, command="pytest", exit_code=1)

    assert dict(squeezed.facts) == {"failed test": 1, "passed test": 1}
    assert squeezed.facts_line() == "exit 1, 1 failed test, 1 passed test"


def test_bytes_that_are_no_text_come_back_as_they_were() -> None:
    originals = MemoryOriginals()
    data = b"caf\xe9 \xff line\n" * 500

    squeezed = Juicer(originals=originals).compress(
        data.decode("utf-8", "surrogateescape"), command="unknown"
    )

    assert squeezed.retrieve_id is not None
    assert originals.get(squeezed.retrieve_id) == data


def test_every_reader_keeps_the_books() -> None:
    for text in (INVITED, THREAD, THREAD * 3, rows(80), "a,b\n" + "1,2\n" * 80, "# T\n\n\n---\ntext\n" * 400):
        squeezed = Juicer().compress(text)
        assert squeezed.steps
        assert (
            squeezed.input_lines + sum(s.written - s.removed for s in squeezed.steps) == squeezed.output_lines
        )


def test_tokens_are_estimated_in_proportion_however_long_the_text() -> None:
    text = "\n".join(log_lines(2000))

    assert abs(tokens_in(text * 8) / (8 * tokens_in(text)) - 1) < 0.03
    assert tokens_in("") == 0
    assert tokens_in("a") == 1
