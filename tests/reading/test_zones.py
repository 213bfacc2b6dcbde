from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.reading import ZoneKind, zones
from tests.linear_time import assert_linear

ANY_TEXT = st.text(st.characters(codec=None), max_size=400)
MAIL_LINES = st.lists(
    st.sampled_from([
        "Hi Ana,", "", "> quoted", ">> twice", "On Mon, 3 Dec 2026 at 10:00, Ana Reis <ana@reis.example> wrote:",
        "-----Original Message-----", "From: Bob <bob@stone.example>", "Sent: Monday", "To: Ana", "Subject: Plan",
        "-- ", "Best regards,", "Bob Stone", "+44 20 7946 0000", "Sent from my phone", "Can you send it?",
        "---------- Forwarded message ---------", "This email may contain confidential information.", "PS: one more",
        "_______________________________", "Am 3.12.2026 um 10:00 schrieb Tom:", "\t", "Thanks!",
    ]),
    max_size=25,
)  # fmt: skip


def parts(text: str, *, is_reply: bool = False) -> list[tuple[str, str]]:
    return [(zone.kind.value, text[zone.start : zone.end].strip()) for zone in zones(text, is_reply=is_reply)]


def new_text(text: str) -> str:
    return "\n".join(part for kind, part in parts(text) if kind == "new")


def assert_covers(text: str) -> None:
    found = zones(text)
    assert "".join(text[zone.start : zone.end] for zone in found) == text
    assert all(
        before.end == after.start and before.kind is not after.kind for before, after in pairwise(found)
    )


@given(ANY_TEXT)
@settings(max_examples=120, deadline=None)
def test_zones_cover_any_text_in_order(text: str) -> None:
    assert_covers(text)


@given(MAIL_LINES, st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=200, deadline=None)
def test_zones_cover_any_mail_in_order(lines: list[str], line_end: str) -> None:
    assert_covers(line_end.join(lines))


def test_a_quote_marked_by_angle_brackets_is_not_new() -> None:
    text = "Works for me.\n\n> Shall we meet at ten?\n> Or at noon?\n"
    assert parts(text) == [("new", "Works for me."), ("quoted", "> Shall we meet at ten?\n> Or at noon?")]


@pytest.mark.parametrize(
    "header",
    [
        "On Mon, 3 Dec 2026 at 10:00, Ana Reis <ana@reis.example> wrote:",
        "On Mon, 3 Dec 2026 at 10:00, Ana Long-Winded Reis\n<ana.long-winded@reis.example>\nwrote:",
        "Am 3. Dezember 2026 um 10:00 schrieb Anna Beispiel <anna@beispiel.example>:",
        "Am Do., 3. Dez. 2026 um 10:00 Uhr schrieb Anna Beispiel\n<anna@beispiel.example>:",
        "Em seg., 3 de dez. de 2026 às 10:00, Ana Reis <ana@reis.example> escreveu:",
        "El lun, 3 dic 2026 a las 10:00, Ana Ruiz (<ana@ruiz.example>) escribió:",
        "-----Original Message-----\nFrom: Ana Reis\nSent: Monday, 3 December 2026 10:00\nTo: Bob\nSubject: Plan",
        "From: Ana Reis <ana@reis.example>\nSent: Monday, 3 December 2026 10:00\nTo: Bob\nSubject: Plan",
        "________________________________\nVon: Anna\nGesendet: Montag, 3. Dezember 2026 10:00\nAn: Tom\nBetreff: Plan",
        "*De:* Ana Reis\n*Enviada em:* segunda-feira, 3 de dezembro de 2026 10:00\n*Para:* Bob\n*Assunto:* Plano",
        "-----Mensaje original-----\nDe: Ana\nEnviado el: lunes, 3 de diciembre de 2026\nPara: Bob\nAsunto: Plan",
    ],
)
def test_what_follows_a_reply_header_is_quoted_in_every_language(header: str) -> None:
    text = f"I will send it today.\n\n{header}\n\nPlease send me the plan.\n"
    assert parts(text) == [
        ("new", "I will send it today."),
        ("quoted", f"{header}\n\nPlease send me the plan."),
    ]


def test_answers_between_quoted_lines_are_new() -> None:
    text = (
        "On Mon, 3 Dec 2026 at 10:00, Ana <ana@reis.example> wrote:\n"
        "> Can you come on Friday?\n\nYes, at ten.\n\n> And bring the keys?\nI gave them to Bob.\n"
    )
    assert new_text(text) == "Yes, at ten.\nI gave them to Bob."


@pytest.mark.parametrize("mark", ["| ", "--]", ": "])
def test_a_mark_of_a_writers_own_is_understood(mark: str) -> None:
    text = f"On 3 Dec 2026, Ana wrote:\n{mark}Can you come?\n{mark}On Friday?\n\nYes.\n\n{mark}At ten?\nNo.\n"
    assert new_text(text) == "Yes.\nNo."


def test_prose_that_reports_what_someone_wrote_stays_new() -> None:
    text = "On Monday the landlord wrote:\nthe heating will be off.\nWhat do we do?\n"
    assert parts(text) == [("new", text.strip())]


def test_a_message_that_is_nothing_but_a_forward_is_forwarded() -> None:
    text = "---------- Forwarded message ---------\nFrom: Ana <ana@reis.example>\nSubject: Plan\n\nHere is the plan.\n"
    assert parts(text) == [("forwarded", text.strip())]


def test_a_bare_header_block_is_a_forward_unless_the_message_is_a_reply() -> None:
    text = "From: Ana\nSent: Monday\nTo: Bob\nSubject: Plan\n\nHere is the plan.\n"
    assert [kind for kind, _ in parts(text)] == ["forwarded"]
    assert [kind for kind, _ in parts(text, is_reply=True)] == ["quoted"]


def test_a_comment_above_a_forward_is_new() -> None:
    text = "Can you answer this?\n\nBegin forwarded message:\n\nFrom: Ana\nSubject: Plan\n\nWhere is it?\n"
    assert [kind for kind, _ in parts(text)] == ["new", "forwarded"]


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nBob Stone\nbob@stone.example",
        "Best regards,\nBob Stone",
        "Kind regards\n\nBob Stone\nHead of Sales\nStone Ltd | +44 20 7946 0000",
        "Thanks, Bob",
        "Viele Grüße\nAnna",
        "Mit freundlichen Grüßen\nAnna Beispiel\nProjektleiterin\nTel.: +49 30 901820",
        "Um abraço,\nAna",
        "Un saludo,\nAna Ruiz",
        "Bob Stone\nSales Manager\n+44 20 7946 0000",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Enviado do meu iPhone",
        "Cheers\nBob\n\nSent from my iPad",
        "— Bob",
    ],
)
def test_a_signature_is_told_from_what_was_written(signature: str) -> None:
    text = f"Could you send me the report by Friday?\n\n{signature}\n"
    assert parts(text) == [("new", "Could you send me the report by Friday?"), ("signature", signature)]


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, Ana",
        "Thanks\n\nPlease send the report today",
        "Many thanks for the draft. Can you add the figures?",
        "We need:\n\nMilk\nBread\nCheese",
        "Cheers to everyone who came!\n\nCould you send me the photos?",
    ],
)
def test_words_of_thanks_are_not_mistaken_for_a_signature(text: str) -> None:
    assert parts(text) == [("new", text)]


@pytest.mark.parametrize(
    "signature", ["-- \nBob Stone\nHead of Sales", "--\nBob", "Best regards,\nBob Stone", "Viele Grüße\nBob"]
)
def test_a_signature_alone_below_a_quotation_is_one(signature: str) -> None:
    text = f"Yes, at ten.\n\n> Can you come?\n\n{signature}\n"
    assert parts(text) == [("new", "Yes, at ten."), ("quoted", "> Can you come?"), ("signature", signature)]


def test_below_a_quotation_without_any_answer_only_a_marked_signature_is_one() -> None:
    quote = "On 3 Dec 2026, Ana wrote:\n> The keys are with Tom.\n\n"
    assert [kind for kind, _ in parts(f"{quote}-- \nBob\n")] == ["quoted", "signature"]
    assert new_text(f"{quote}Thanks, Bob\n") == "Thanks, Bob"
    assert new_text(f"Yes.\n\n{quote}- Tom\n") == "Yes.\n- Tom"


def test_a_postscript_under_a_signature_is_new() -> None:
    text = "See you.\n\nBest regards,\nBob\n\nPS: please bring the keys.\n"
    assert new_text(text) == "See you.\nPS: please bring the keys."


def test_a_mail_about_unsubscribing_stays_whole() -> None:
    text = (
        "Hi,\n\nplease unsubscribe me from the mailing list. The copyright line in it is wrong.\n\n"
        "Your privacy policy says nothing about this. Can you remove me by Friday?\n"
    )
    assert new_text(text) == text.strip()


def test_a_line_of_a_footer_counts_in_the_last_third_alone() -> None:
    line = "To unsubscribe go to https://lists.example/leave"
    high = f"Hi,\n\n{line}\nand tell me\nhow it went.\nThe page\nlooked odd.\n"
    low = f"Hi,\n\nhere is the plan.\nThe page\nlooked odd,\nI thought.\n\n{line}\n"
    assert new_text(high) == high.strip()
    assert line not in new_text(low)


@pytest.mark.parametrize(
    "footer",
    [
        "This email and any attachments are confidential. If you have received this in error, please delete it.",
        "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, löschen Sie sie.",
        "Esta mensagem pode conter informações confidenciais.",
        "Este mensaje y sus adjuntos son confidenciales.",
        "You received this message because you joined the group.\nTo unsubscribe go to https://lists.example/leave",
        "_______________________________________________\nGarden mailing list\nhttps://lists.example/garden",
    ],
)
def test_a_disclaimer_at_the_end_is_not_new(footer: str) -> None:
    text = f"The plan is attached. Could you check page two?\n\n{footer}\n"
    assert [kind for kind, _ in parts(text)] == ["new", "disclaimer"]
    assert new_text(text) == "The plan is attached. Could you check page two?"


def test_a_signature_above_a_disclaimer_is_still_a_signature() -> None:
    text = "Done.\n\nRegards\nBob\n\nThis message is intended only for the addressee.\n"
    assert [kind for kind, _ in parts(text)] == ["new", "signature", "disclaimer"]


_BASE64 = "kT9vQ2hlYXAgcGxhc3RpYyBib3hlcyBhcmUgc3RhY2tlZCBpbiB0aGUgc2hlZCA0NSBwaWVj"


@pytest.mark.parametrize(
    "block",
    [
        "begin 644 cat.txt\n#0V%T\n`\nend",
        'begin 0644 a report.txt\nM5&AE(&AA<F)O=7(@;VX@82!G<F5Y(&UO<FYI;F<@=VET:"!M86YY(&)O871S\n%(&]U="X \n \nend',
        "begin-base64 644 cat.txt\nQ2F0\n====",
        "=ybegin line=128 size=11 name=cat.bin\nr\x8f\x96\x96 can you\n\nsend =}me\n=yend size=11 crc32=4a17b156",
        "-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nhQEMA9s0m3\n=aB3d\n-----END PGP MESSAGE-----",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        f"{_BASE64}\n{_BASE64}\nZXM=",
        f"data:image/png;base64,{_BASE64 * 3}",
    ],
)
def test_an_encoded_block_is_no_text_of_its_writer(block: str) -> None:
    text = f"Hi Bob,\n\nhere it is:\n\n{block}\n\nCan you open it?\n"
    assert parts(text) == [
        ("new", "Hi Bob,\n\nhere it is:"),
        ("encoded", block.strip()),
        ("new", "Can you open it?"),
    ]


def test_what_is_signed_in_the_open_stays_new_without_its_armour() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nCan you send the plan?\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n=aB3d\n-----END PGP SIGNATURE-----\n"
    )
    assert new_text(text) == "Can you send the plan?"
    assert [kind for kind, _ in parts(text)] == ["encoded", "new", "encoded"]


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 pages of reading\nAND SO ON",
        "begin 100 words a day\nand keep going\nend",
        "-----BEGIN NOTES-----\nCall Bob.\n-----END NOTES-----",
        "https://stone.example/Path0123456789012345678901234567890123456789/abc?x=1\nSee page 12.",
        f"{_BASE64[:60]}\nSee above.",
        f"{'-' * 60}\n{'-' * 60}\nTotal",
    ],
)
def test_words_that_only_begin_like_a_block_stay_new(text: str) -> None:
    assert parts(text) == [("new", text)]


def test_windows_line_ends_change_nothing() -> None:
    text = "Yes.\r\n\r\nBest regards,\r\nBob\r\n\r\nOn 3 Dec 2026, Ana <ana@reis.example> wrote:\r\n> Shall we?\r\n"
    assert [kind for kind, _ in parts(text)] == ["new", "signature", "quoted"]


def test_only_new_text_is_called_new() -> None:
    assert {kind.value for kind in ZoneKind} == {
        "new", "quoted", "signature", "disclaimer", "forwarded", "encoded",
    }  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        "> ",
        "From: a\n",
        "On 1 wrote:\n",
        "thanks\n",
        "-- \n",
        "--\n",
        "\n",
        "a:\n",
        "unsubscribe\n\n",
        "On 3 wrote:\n> x\n",
        "On 3 wrote:\n| x\n| y\n",
        "begin 644 a\n",
        "begin 644 a\n#0V%T\n",
        "=ybegin line=128 size=3 name=a\n",
        "-----BEGIN PGP MESSAGE-----\n",
        "-----BEGIN PGP MESSAGE-----\n-----END PGP SIGNATURE-----\n",
        f"{'a' * 60}\n",
        f"{'aB3' * 20}\nno more\n",
    ],
)
def test_hostile_repetition_takes_linear_time_and_loses_nothing(piece: str) -> None:
    assert_linear(zones, piece, length=100_000)
    text = piece * (100_000 // len(piece))
    assert "".join(text[zone.start : zone.end] for zone in zones(text)) == text
