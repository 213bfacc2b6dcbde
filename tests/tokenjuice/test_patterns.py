import importlib
import pkgutil
import re

import pytest

import heedful.tokenjuice
from heedful.tokenjuice.patterns import REACH_CHARS, PatternError, bounded, refuse_runaway

# The question is asked coarsely: these can be read in one way only, and the hostile texts below prove it.
TIMED = {
    "heedful.tokenjuice.calendar_shape._LINE",
    "heedful.tokenjuice.command._WORD",
    "heedful.tokenjuice.mail_shape._REPLY",
}


@pytest.mark.parametrize(
    "source",
    ["(a+)+$", "(a|a)*b", "(.*)*", "(x+x+)+y", "((ab)+)+", r"(\w+\s?)*$", r"(?=(a+)+b)", ".*a.*b.*c.*d.*e"],
)
def test_a_pattern_that_could_run_for_ever_is_refused(source: str) -> None:
    with pytest.raises(PatternError):
        bounded(source)


@pytest.mark.parametrize(
    "source",
    [r"(?:\s+\w+)*", "([a-z]+,)*", "(?:a|b)+", r"^\s*at .+node_modules", r"(\d{1,3}\.){3}\d+", "(?i:error)+"],
)
def test_a_pattern_that_can_not_is_taken(source: str) -> None:
    assert bounded(source).source == source


@pytest.mark.parametrize(("source", "flags"), [("(", ""), ("a", "q"), ("a" * 2000, "")])
def test_a_malformed_pattern_is_refused(source: str, flags: str) -> None:
    with pytest.raises(PatternError):
        bounded(source, flags)


def test_the_more_wildcards_the_shorter_the_look() -> None:
    line = "a" * 300 + "z"

    assert bounded("a.*z").found_in(line)
    assert not bounded(".*a.*a.*z").found_in(line)


def test_a_pattern_looks_no_further_than_its_reach() -> None:
    assert not bounded("end").found_in("x" * REACH_CHARS + "end")


def test_our_own_patterns_stand_up_to_the_same_question() -> None:
    refused = set()
    for found in pkgutil.iter_modules(heedful.tokenjuice.__path__):
        module = importlib.import_module(f"heedful.tokenjuice.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                try:
                    refuse_runaway(value.pattern)
                except PatternError:
                    refused.add(f"{module.__name__}.{name}")

    assert refused <= TIMED


HOSTILE = [
    "a" * 5000,
    "Aa " * 3000,
    "Re: " * 3000,
    "-" * 5000,
    "> " * 3000,
    '";' * 3000,
    ";" * 3000,
    "1," * 5000,
    "a\n\n" * 10_000,
    "<div>" * 10_000,
    "A" * 40_000,
    "0a" * 4000,
    "A" * 3000 + ":",
    "[" * 4000,
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "Subject: {}\nFrom: a\nTo: b\n\n{}",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nX{}\nEND:VEVENT",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTENDEE{}\nEND:VEVENT",
        "<p>{}</p><div><td><table>",
    ],
)
def test_hostile_text_is_compressed_without_hanging(part: str, form: str) -> None:
    squeezed = heedful.tokenjuice.Juicer().compress(form.replace("{}", part), command=None)

    assert len(squeezed.text) <= len(form.replace("{}", part))
