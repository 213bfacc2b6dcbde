from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.judgement import detect
from heedful.judgement.cues import holds_cue
from heedful.judgement.verb_forms import verb_forms
from heedful.reading import available, language, without_diacritics


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Could you please send me the Q3 table by Friday?", "request"),
        ("Please review and sign the agreement.", "request"),
        ("Which notice period did you agree on?", "question"),
        ("I'll send you the comparison tomorrow.", "commitment"),
        ("Let's meet on Tuesday at ten to discuss this.", "proposal"),
        ("Your invoice 4471 over EUR 84.20 is overdue.", "payment"),
        ("We noticed a new sign-in to your account from an unknown device.", "security"),
        ("Your domain expires on 2 December.", "renewal"),
        ("The nightly backup failed: target volume is full.", "system"),
        ("We could not deliver your parcel and it is ready for collection.", "delivery"),
        ("Você consegue me mandar o relatório até amanhã?", "request"),
        ("A fatura 2231 venceu e ainda não foi paga.", "payment"),
    ],
)
def test_a_sentence_is_seen_as_what_it_is(text: str, kind: str) -> None:
    assert [sighting.kind for sighting in detect(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "The photos from Saturday are in the shared folder now.",
        "Thank you for having us, it was a great evening.",
        "If you are not the intended recipient, please notify the sender.",
        "Your parcel was delivered today and left in your mailbox.",
        "Let's see.",
        "How are you?",
        "",
        "As fotos do almoço ficaram muito bonitas.",
    ],
)
def test_a_sentence_that_wants_nothing_is_not_seen(text: str) -> None:
    assert detect(text) == ()


def test_each_sentence_is_judged_by_itself() -> None:
    text = "Good morning Robin. Could you send me the slides? The weather is lovely here."
    (sighting,) = detect(text)
    assert sighting.quote == "Could you send me the slides?" == text[sighting.start : sighting.end]


def test_in_the_persons_own_text_only_promises_are_seen() -> None:
    text = "Could you send me the slides? I'll send you the list tomorrow."
    assert [sighting.kind for sighting in detect(text, from_me=True)] == ["commitment"]


def test_the_same_text_gives_the_same_sightings() -> None:
    text = "Please call me today. Can we move the review to Monday? I will bring the files."
    assert detect(text) == detect(text, sent_at=None) == detect(text)


@pytest.mark.parametrize("lang", sorted(available()))
def test_no_verb_is_listed_that_the_table_of_forms_makes(lang: str) -> None:
    listed = map(without_diacritics, language(lang).lines("cues", "verb"))
    assert verb_forms(lang).commands.isdisjoint(listed)


@pytest.mark.parametrize("lang", sorted(available()))
def test_a_text_holds_every_wording_of_a_cue_that_stands_in_it(lang: str) -> None:
    for cue, value in language(lang).table("cues").items():
        for line in language(lang).lines("cues", cue) if isinstance(value, str) else ():
            said = line.strip("^$").replace("_", "yonder").replace("*", "xx").replace("'", "’").upper()
            assert holds_cue(said, lang, cue), line


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.sampled_from(["en", "pt", "de", "es", None, "xx"]))
def test_no_text_makes_it_raise_and_every_quote_stands_in_the_text(text: str, lang: str | None) -> None:
    for sighting in detect(text, lang=lang, sent_at=datetime(2026, 11, 25, 12, tzinfo=UTC)):
        assert text[sighting.start : sighting.end] == sighting.quote
        assert 0 <= sighting.score <= 1
