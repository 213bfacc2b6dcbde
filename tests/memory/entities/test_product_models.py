"""A product is told by its model's number, where the word before it is no plain one."""

import pytest

from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.names import Known, names_in
from heedful.memory.entities.product_models import models_in


@pytest.mark.parametrize(
    ("lang", "text", "product"),
    [
        ("en", "My iPhone 15 is broken.", "iPhone 15"),
        ("pt", "Comprei um iPhone 15 Pro ontem.", "iPhone 15 Pro"),
        ("es", "Mi PlayStation 5 no funciona.", "PlayStation 5"),
        ("en", "I bought an XPS 13 for the office.", "XPS 13"),
        ("de", "Ich habe mir ein XPS 13 gekauft, fertig.", "XPS 13"),
        ("en", "The Galaxy S24 arrived.", "Galaxy S24"),
        ("en", "She sold the old ThinkPad X1 to a friend.", "ThinkPad X1"),
        ("en", "He wants a MacBook Pro 16 now.", "MacBook Pro 16"),
        ("de", "Der BMW X5 steht in der Werkstatt.", "BMW X5"),
        ("en", "Try an RTX 4090 Ti instead.", "RTX 4090 Ti"),
    ],
)
def test_a_models_number_makes_a_product_of_its_name(lang: str, text: str, product: str) -> None:
    (one,) = models_in(text, lang)
    assert (one.kind, one.name, text[one.start : one.end]) == (EntityKind.PRODUCT, product, product)
    assert one in names_in(text, lang=lang, known=Known({}, {}))


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        (
            "en",
            "Room 12, Gate 4, Room B12, Gate A3, Terminal T2, Level C1, Chapter 3, Figure S2 and Exit B4.",
        ),
        ("en", "On Friday 13 and May 5, Ana 12 times, in Lisbon 25 people."),
        ("en", "PayPal 3 payments, LinkedIn 7 requests."),
        ("en", "We follow the ISO 9001 and paid the EUR 500."),
        ("en", "XPS 13 alone says little, and so does Golf 8."),
        ("de", "Raum 12, Halle A1, Gleis 9, Autobahn A7, Papier A4, das Kapitel 3, die KW 12."),
        ("pt", "Sala 12, Bloco B2, o capítulo 3, a Rua 25."),
        ("es", "Sala 12, Puerta B2, el capítulo 3, la Calle 25."),
        ("en", "It is iPhone 15.5 or 20%."),
    ],
)
def test_a_number_behind_a_plain_word_makes_none(lang: str, text: str) -> None:
    assert list(models_in(text, lang)) == []
