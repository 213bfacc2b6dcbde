from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from heedful.judgement import BuiltinFinder
from tests.judgement.views import OWN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)


def title(text: str, *, subject: str = "", lang: str = "en") -> str:
    one = message(text, subject=subject, lang=lang)
    return BuiltinFinder().find(thread(one), now=NOW, zone=ZONE, own=OWN).drafts[0].title


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Could you send me the October report by tomorrow?", "Send the October report to Ana Costa"),
        ("Please review my draft before you leave, because the printer closes.", "Review Ana Costa’s draft"),
        ("I need you to call the caterer today.", "Call the caterer"),
        ("Don't forget to water the plants.", "Water the plants"),
        ("Can you tell me where the keys are?", "Tell Ana Costa where the keys are"),
        (
            "Could we move the review to Monday 14:00?",
            "Answer Ana Costa: Could we move the review to Monday 14:00?",
        ),
        ("Hi Robin, when can you come by?", "Answer Ana Costa: when can you come by?"),
    ],
)
def test_a_title_says_what_to_do_and_for_whom(text: str, expected: str) -> None:
    assert title(text) == expected


def test_a_title_that_points_at_something_names_the_subject() -> None:
    assert title("Please sign it.", subject="Re: Lease of the garage") == "Sign it: Lease of the garage"


def test_where_no_command_can_be_made_the_title_asks_for_a_reply() -> None:
    assert title("Let me know.", subject="Lunch on Sunday") == "Reply to Ana Costa: Lunch on Sunday"


def test_a_long_title_ends_in_a_whole_word() -> None:
    shown = title("Please send me " + "the very long list of everything " * 6)
    assert len(shown) <= 80
    assert shown.endswith("…")
    assert shown[:-1].split()[-1] in ["the", "very", "long", "list", "of", "everything"]


def test_a_title_is_in_the_messages_language() -> None:
    assert (
        title("Você consegue me mandar o relatório de vendas?", lang="pt")
        == "Mandar o relatório de vendas a Ana Costa"
    )
    assert title("A fatura 2231 de 48,70 € venceu.", lang="pt") == "Pagar a fatura 2231 (48,70 €)"
