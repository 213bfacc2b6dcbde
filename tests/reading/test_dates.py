from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.reading import DateMention, available, find_dates
from tests.linear_time import assert_linear

MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
FIRST = datetime(1900, 1, 1)  # noqa: DTZ001  # hypothesis takes its bounds without a zone
LAST = datetime(2200, 1, 1)  # noqa: DTZ001  # likewise
WORDS = st.lists(
    st.sampled_from(
        [
            "next",
            "Friday",
            "3",
            "Dec",
            "at",
            "5pm",
            "by",
            "the",
            "end",
            "of",
            "week",
            "2026",
            "in",
            "days",
            "ago",
            "until",
            "-",
            "/",
            "99999",
            "10:30",
            "every",
            "Montag",
            "bis",
            "amanhã",
            "half",
            "past",
            "to",
            "from",
            "and",
            "31",
            "Feb",
            "12/31",
            "29.2.",
            "first",
            "last",
            "noon",
            "Easter",
            "before",
            "after",
        ]
    ),
    max_size=14,
).map(" ".join)


def only(text: str, *, at: datetime = MONDAY, lang: str = "en") -> DateMention:
    found = find_dates(text, at=at, lang=lang)
    assert len(found) == 1, [mention.text for mention in found]
    return found[0]


def begins(text: str, *, at: datetime = MONDAY, lang: str = "en") -> str:
    begin = only(text, at=at, lang=lang).begin
    return f"{begin:%Y-%m-%d %H:%M}" if begin else "never"


@given(st.one_of(st.text(st.characters(codec=None), max_size=200), WORDS), st.sampled_from(available()))
@settings(max_examples=400, deadline=None)
def test_any_text_gives_mentions_in_order_without_overlap(text: str, lang: str) -> None:
    found = find_dates(text, at=MONDAY, lang=lang)
    assert all(
        text[one.start : one.end] == one.text and one.phrase_start <= one.start < one.end for one in found
    )
    assert all(before.end <= after.start for before, after in pairwise(found))
    for one in found:
        assert (one.begin is None) == (one.finish is None)
        if one.begin and one.finish:
            assert one.begin.tzinfo is MONDAY.tzinfo
            assert one.begin <= one.finish


@given(st.datetimes(FIRST, LAST, timezones=st.just(UTC)), WORDS)
@settings(max_examples=150, deadline=None)
def test_no_moment_of_writing_makes_it_raise(at: datetime, text: str) -> None:
    find_dates(text, at=at)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("See you today", "2026-11-30 00:00"),
        ("See you tomorrow", "2026-12-01 00:00"),
        ("the day after tomorrow", "2026-12-02 00:00"),
        ("It broke yesterday", "2026-11-29 00:00"),
        ("on Friday", "2026-12-04 00:00"),
        ("on Monday", "2026-12-07 00:00"),
        ("next Friday", "2026-12-11 00:00"),
        ("this Friday", "2026-12-04 00:00"),
        ("last Friday", "2026-11-27 00:00"),
        ("Wednesday next week", "2026-12-09 00:00"),
        ("Tuesday of last week", "2026-11-24 00:00"),
        ("3 Dec", "2026-12-03 00:00"),
        ("Dec 3rd, 2027", "2027-12-03 00:00"),
        ("the 3rd of December", "2026-12-03 00:00"),
        ("Thursday, 3 December 2026", "2026-12-03 00:00"),
        ("12/3", "2026-12-03 00:00"),
        ("2026-12-03", "2026-12-03 00:00"),
        ("20 November", "2026-11-20 00:00"),
        ("2 January", "2027-01-02 00:00"),
        ("on the 15th", "2026-12-15 00:00"),
        ("in 3 days", "2026-12-03 00:00"),
        ("in two weeks", "2026-12-14 00:00"),
        ("2 months ago", "2026-09-30 00:00"),
        ("a week from today", "2026-12-07 00:00"),
        ("two days after Christmas", "2026-12-27 00:00"),
        ("in 2 business days", "2026-12-02 00:00"),
        ("first Monday in January", "2027-01-04 00:00"),
        ("last Friday of the month", "2026-11-27 00:00"),
        ("by the end of the week", "2026-12-04 00:00"),
        ("end of next month", "2026-12-31 00:00"),
        ("Good Friday", "2027-03-26 00:00"),
    ],
)
def test_an_english_day_is_resolved_against_the_moment_of_writing(text: str, begin: str) -> None:
    mention = only(text)
    assert mention.kind == "date"
    assert begins(text) == begin
    assert mention.begin is not None
    assert mention.finish == mention.begin + timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("at 5pm", "2026-11-30 17:00"),
        ("at 8 am", "2026-12-01 08:00"),
        ("10:30", "2026-11-30 10:30"),
        ("half past four", "2026-11-30 16:30"),
        ("at noon", "2026-11-30 12:00"),
        ("tomorrow at 5", "2026-12-01 17:00"),
        ("5pm tomorrow", "2026-12-01 17:00"),
        ("Friday noon", "2026-12-04 12:00"),
        ("at 10:30 on 3 Dec", "2026-12-03 10:30"),
        ("Dec 3 at 7 in the evening", "2026-12-03 19:00"),
        ("quarter to nine on Tuesday", "2026-12-01 08:45"),
        ("in 2 hours", "2026-11-30 11:00"),
        ("EOD", "2026-11-30 23:59"),
        ("COB Wednesday", "2026-12-02 17:00"),
        ("2026-12-03T10:00:00Z", "2026-12-03 11:00"),
        ("Friday in the office at 5", "2026-12-04 17:00"),
    ],
)
def test_an_english_time_is_resolved_against_the_moment_of_writing(text: str, begin: str) -> None:
    mention = only(text)
    assert mention.kind in ("time", "datetime")
    assert begins(text) == begin
    assert mention.begin == mention.finish


@pytest.mark.parametrize(
    ("text", "begin", "finish"),
    [
        ("tonight", "30.11. 18:00", "01.12. 00:00"),
        ("tomorrow morning", "01.12. 06:00", "01.12. 12:00"),
        ("Tuesday 3-4pm", "01.12. 15:00", "01.12. 16:00"),
        ("between 2 and 4pm tomorrow", "01.12. 14:00", "01.12. 16:00"),
        ("Wed, Dec 2 between 10:00 and 12:00", "02.12. 10:00", "02.12. 12:00"),
        ("Dec 3-5", "03.12. 00:00", "06.12. 00:00"),
        ("Tuesday to Thursday", "01.12. 00:00", "04.12. 00:00"),
        ("next week", "07.12. 00:00", "14.12. 00:00"),
        ("in December 2026", "01.12. 00:00", "01.01. 00:00"),
        ("this weekend", "05.12. 00:00", "07.12. 00:00"),
    ],
)
def test_a_stretch_of_time_has_its_end_exclusive(text: str, begin: str, finish: str) -> None:
    mention = only(text)
    assert mention.kind == "range"
    assert mention.begin is not None
    assert mention.finish is not None
    assert (f"{mention.begin:%d.%m. %H:%M}", f"{mention.finish:%d.%m. %H:%M}") == (begin, finish)


WEEKENDS = [
    ("en", "Can you fix it at the weekend?"),
    ("en", "over the weekend"),
    ("en", "this coming weekend"),
    ("de", "Am Wochenende fahren wir weg."),
    ("de", "übers Wochenende"),
    ("de", "am kommenden Wochenende"),
    ("pt", "no fim de semana"),
    ("pt", "Vens cá no final de semana?"),
    ("es", "el fin de semana"),
]


@pytest.mark.parametrize(("lang", "text"), WEEKENDS)
@pytest.mark.parametrize(("today", "saturday"), [(30, "05.12."), (4, "05.12."), (5, "05.12."), (6, "12.12.")])
def test_a_weekend_is_the_one_that_begins_today_or_next(
    lang: str, text: str, today: int, saturday: str
) -> None:
    at = MONDAY if today == MONDAY.day else MONDAY.replace(month=12, day=today)
    mention = only(text, at=at, lang=lang)
    assert mention.begin is not None
    assert mention.finish is not None
    assert f"{mention.begin:%d.%m.}" == saturday
    assert mention.finish - mention.begin == timedelta(days=2)
    assert mention.is_weekly


@pytest.mark.parametrize(
    ("lang", "text", "begin", "is_deadline"),
    [
        ("en", "by the weekend", "2026-12-04", True),
        ("en", "before the weekend", "2026-12-04", True),
        ("de", "bis zum Wochenende", "2026-12-04", True),
        ("de", "vor dem Wochenende", "2026-12-04", True),
        ("pt", "até ao fim de semana", "2026-12-04", True),
        ("es", "antes del fin de semana", "2026-12-04", True),
        ("en", "after the weekend", "2026-12-07", False),
        ("de", "nach dem Wochenende", "2026-12-07", False),
        ("pt", "depois do fim de semana", "2026-12-07", False),
        ("es", "después del fin de semana", "2026-12-07", False),
        ("en", "next weekend", "2026-12-12", False),
        ("pt", "no próximo fim de semana", "2026-12-12", False),
        ("es", "el fin de semana pasado", "2026-11-28", False),
        ("en", "on the weekend of 19 December", "2026-12-19", False),
    ],
)
def test_what_leads_to_a_weekend_says_which_day_is_meant(
    lang: str, text: str, begin: str, *, is_deadline: bool
) -> None:
    mention = only(text, lang=lang)
    assert f"{mention.begin:%Y-%m-%d}" == begin
    assert mention.is_deadline == is_deadline


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "How was the weekend? Have a nice weekend."),
        ("en", "The office is closed on weekends."),
        ("de", "Schönes Wochenende! An Wochenenden ist zu."),
        ("pt", "Bom fim de semana. Fechado nos fins de semana."),
        ("es", "Buen fin de semana. Los fines de semana no abrimos."),
    ],
)
def test_a_wish_and_a_habit_name_no_weekend(lang: str, text: str) -> None:
    assert find_dates(text, at=MONDAY, lang=lang) == ()


def test_what_comes_back_each_week_says_so() -> None:
    told = {text: only(text).is_weekly for text in ("Friday", "next Friday", "tomorrow", "5 December")}
    assert told == {"Friday": True, "next Friday": False, "tomorrow": False, "5 December": False}


@pytest.mark.parametrize(
    ("lang", "text", "begin"),
    [
        ("de", "am Freitag um 17 Uhr", "2026-12-04 17:00"),
        ("de", "übermorgen", "2026-12-02 00:00"),
        ("de", "am 3. Dezember", "2026-12-03 00:00"),
        ("de", "am 3.12.", "2026-12-03 00:00"),
        ("de", "Dienstag um halb neun", "2026-12-01 08:30"),
        ("de", "in 14 Tagen", "2026-12-14 00:00"),
        ("de", "vor drei Tagen", "2026-11-27 00:00"),
        ("de", "nächste Woche Mittwoch um 14:30 Uhr", "2026-12-09 14:30"),
        ("de", "heute Abend um 8", "2026-11-30 20:00"),
        ("pt", "sexta-feira às 17h", "2026-12-04 17:00"),
        ("pt", "depois de amanhã", "2026-12-02 00:00"),
        ("pt", "3 de dezembro", "2026-12-03 00:00"),
        ("pt", "03/12", "2026-12-03 00:00"),
        ("pt", "daqui a duas semanas", "2026-12-14 00:00"),
        ("pt", "há três dias", "2026-11-27 00:00"),
        ("pt", "amanhã às oito e meia da noite", "2026-12-01 20:30"),
        ("pt", "dia 10", "2026-12-10 00:00"),
        ("es", "el viernes a las 17:00", "2026-12-04 17:00"),
        ("es", "pasado mañana", "2026-12-02 00:00"),
        ("es", "el 3 de diciembre", "2026-12-03 00:00"),
        ("es", "dentro de tres días", "2026-12-03 00:00"),
        ("es", "hace dos semanas", "2026-11-16 00:00"),
        ("es", "el martes a las ocho menos cuarto de la tarde", "2026-12-01 19:45"),
    ],
)
def test_other_languages_are_one_data_file_each(lang: str, text: str, begin: str) -> None:
    assert begins(text, lang=lang) == begin


@pytest.mark.parametrize(
    ("lang", "text", "phrase"),
    [
        ("en", "Send it by 5pm tomorrow, please.", "by 5pm tomorrow"),
        ("en", "The invoice is due on 15 December.", "due on 15 December"),
        ("en", "Payment due: 2026-12-15", "due: 2026-12-15"),
        ("en", "no later than Friday", "no later than Friday"),
        ("en", "I need it before Thursday.", "before Thursday"),
        ("en", "Answer within 3 days.", "within 3 days"),
        ("en", "Reply by EOD.", "by EOD"),
        ("de", "Bitte bis zum 15.12.2026 zahlen", "bis zum 15.12.2026"),
        ("de", "spätestens am Freitag", "spätestens am Freitag"),
        ("pt", "O boleto vence dia 10.", "vence dia 10"),
        ("pt", "até o fim do mês", "até o fim do mês"),
        ("es", "a más tardar el jueves", "a más tardar el jueves"),
        ("es", "antes del viernes a las 17:00", "antes del viernes a las 17:00"),
    ],
)
def test_wording_makes_a_date_a_deadline(lang: str, text: str, phrase: str) -> None:
    mention = only(text, lang=lang)
    assert mention.is_deadline
    assert text[mention.phrase_start : mention.end] == phrase


@pytest.mark.parametrize(
    "text", ["Let us meet on Friday.", "The fair is in December.", "We met last Tuesday at 5."]
)
def test_a_date_alone_is_no_deadline(text: str) -> None:
    assert not any(mention.is_deadline for mention in find_dates(text, at=MONDAY))


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Good morning Ana, I may march on."),
        ("en", "The sun sat on the second chair."),
        ("en", "Version 3.12 has 24/7 support, a ratio of 1/2 and 50 % off."),
        ("en", "Call 555-1234 or 0170 1234567; order 20261204-33, total $ 12."),
        ("en", "At 10 people we stop. See the 2nd edition, room 5 at 12 Main Street."),
        ("de", "Guten Morgen, das kostet 3.12 Euro; so ist das, mi casa."),
        ("pt", "Bom dia, pela segunda vez: ele set e mar."),
        ("es", "Buenos días, por segunda vez."),
        ("en", "Please call Tom about the roof"),
    ],
)
def test_what_only_resembles_a_date_is_none(lang: str, text: str) -> None:
    assert find_dates(text, at=MONDAY, lang=lang) == ()


def test_a_repetition_and_a_duration_name_no_moment() -> None:
    found = find_dates("Every Monday at 9 we talk for 2 hours.", at=MONDAY)
    assert [(mention.kind, mention.begin) for mention in found] == [("set", None), ("duration", None)]


def test_weekdays_of_a_list_are_of_the_week_that_was_named() -> None:
    found = find_dates("Next week Monday, Wednesday or Friday suits me.", at=MONDAY)
    assert [f"{mention.begin:%d.%m.}" for mention in found] == ["07.12.", "09.12.", "11.12."]


def test_a_date_does_not_reach_over_a_blank_line() -> None:
    assert [mention.text for mention in find_dates("See you on Friday\n\n10:30 is fine", at=MONDAY)] == [
        "Friday",
        "10:30",
    ]


def test_a_day_begins_at_the_midnight_of_the_writers_place() -> None:
    lisbon = datetime(2026, 3, 28, 12, 0, tzinfo=ZoneInfo("Europe/Lisbon"))
    mention = only("tomorrow", at=lisbon)
    assert mention.begin is not None
    assert mention.finish is not None
    assert (mention.begin.utcoffset(), mention.finish.utcoffset()) == (timedelta(0), timedelta(hours=1))


@pytest.mark.parametrize(
    "piece", ["1 ", "monday ", "3 dec, ", "1/1/", "next ", "of the ", "1:1:", "9", "every day and "]
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    assert_linear(lambda text: find_dates(text, at=MONDAY), piece, length=20_000)


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "about 15.96"), ("en", "by 9.60"), ("de", "um 12.75"), ("pt", "até 15.99"), ("es", "a las 3.75")],
)
def test_more_than_fifty_nine_minutes_are_no_time_of_day(lang: str, text: str) -> None:
    assert all(
        one.kind not in {"time", "datetime"} or one.text.isdigit()
        for one in find_dates(text, at=MONDAY, lang=lang)
    )


@pytest.mark.parametrize(
    ("lang", "text", "until"),
    [
        ("en", "Read chapter 2 by Friday.", "2026-12-04"),
        ("en", "Finish section 5 by 12 December.", "2026-12-12"),
        ("de", "Lies Seite 3 bis Freitag.", "2026-12-04"),
        ("de", "Kapitel zwei bis morgen", "2026-12-01"),
        ("de", "Kapitel 5 bis 12.12.", "2026-12-12"),
        ("pt", "capítulo dois até sexta-feira", "2026-12-04"),
        ("pt", "ler o capítulo 5 até dia 12", "2026-12-12"),
        ("es", "capítulo dos hasta el viernes", "2026-12-04"),
    ],
)
def test_a_number_before_a_limit_counts_something_else(lang: str, text: str, until: str) -> None:
    mention = only(text, lang=lang)
    assert mention.is_deadline
    assert mention.begin is not None
    assert f"{mention.begin:%Y-%m-%d}" == until


@pytest.mark.parametrize(
    ("lang", "text", "begin", "finish"),
    [
        ("en", "5 to 12 December", "12-05", "12-13"),
        ("en", "from 5 until 12 December", "12-05", "12-13"),
        ("en", "between 5 and 12 December", "12-05", "12-13"),
        ("de", "vom 5. bis 12. Dezember", "12-05", "12-13"),
        ("de", "5. bis 12. Dezember", "12-05", "12-13"),
        ("es", "del 2 al 5 de diciembre", "12-02", "12-06"),
        ("es", "del lunes al viernes", "12-07", "12-12"),
        ("pt", "de 2 a 5 de dezembro", "12-02", "12-06"),
        ("pt", "de segunda a sexta", "12-07", "12-12"),
        ("pt", "do dia 2 ao dia 5", "12-02", "12-06"),
    ],
)
def test_days_from_one_to_another_are_a_range(lang: str, text: str, begin: str, finish: str) -> None:
    mention = only(text, lang=lang)
    assert mention.begin is not None
    assert mention.finish is not None
    assert (f"{mention.begin:%m-%d}", f"{mention.finish:%m-%d}") == (begin, finish)
