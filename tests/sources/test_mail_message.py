"""What becomes of one mail, however it was written."""

import base64
from datetime import UTC, datetime, timedelta
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.sources import Incoming, Person, Rejected
from heedful.sources.mail_message import looks_like_mail
from heedful.sources.mail_parts import MAX_DEPTH
from tests.sources.letters import letter, of_kind, read, read_or_reject


def with_body(body: str, *, headers: str) -> str:
    return letter(body, headers=headers)


def test_a_plain_mail_gives_its_people_its_time_and_its_text() -> None:
    mail = read(letter())

    assert mail.author == Person("Ana Prado", "ana@prado.example")
    assert mail.to == (Person("Bo Lind", "bo@lind.example"),)
    assert mail.sent_at == datetime(2026, 12, 3, 14, 0, tzinfo=UTC)
    assert mail.sent_at.utcoffset() == timedelta(hours=1)
    assert mail.text == "Could you send me the figures by Friday?"
    assert of_kind(mail, "new") == mail.text
    assert (mail.external_id, mail.identity) == ("1@prado.example", "mid:1@prado.example")


def test_the_zones_cover_the_text_and_the_quote_is_not_new() -> None:
    mail = read(letter("Yes.\n\nOn Wed, Dec 2, 2026, Bo Lind wrote:\n> Can you come?\n"))

    assert "".join(mail.text[zone.start : zone.end] for zone in mail.zones) == mail.text
    assert "Can you come?" not in of_kind(mail, "new")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("=?utf-8?B?UmV1bmnDo28=?=", "Reunião"),
        ("=?iso-8859-1?Q?M=FCller?= und =?utf-8?q?S=C3=B6hne?=", "Müller und Söhne"),
        ("=?utf-8?B?UmV1bmnD?= =?utf-8?B?o28=?=", "Reunião"),
        ("=?utf-8?B?UmV1bmnDo28?=", "Reunião"),
        ("=?no-such-charset?Q?caf=C3=A9?=", "café"),
        ("=?utf-8?Q?broken", "=?utf-8?Q?broken"),
        ("Grüße", "Grüße"),
    ],
)
def test_a_subject_is_decoded_as_far_as_it_can_be(written: str, read_as: str) -> None:
    assert read(letter(subject=written)).subject == read_as


def test_a_subject_in_raw_latin_bytes_is_read() -> None:
    assert read(letter(subject="caf\xe9 aberto").encode("latin-1")).subject == "café aberto"


@pytest.mark.parametrize(
    "charset", ["us-ascii", "utf-8", "x-unknown", "iso-8859-1", "idna", "hex", "rot13", "\0"]
)
def test_a_wrong_charset_never_loses_the_text(charset: str) -> None:
    raw = letter(headers=f"Content-Type: text/plain; charset={charset}\n").encode() + "naïve\n".encode()

    assert read(raw).text.endswith("ve")


def test_damaged_base64_gives_what_can_be_saved() -> None:
    coded = base64.b64encode(b"Bitte bis Freitag antworten.").decode()[:-3]
    mail = read(with_body(f"{coded[:8]}!?\n{coded[8:]}\n", headers="Content-Transfer-Encoding: base64\n"))

    assert mail.text.startswith("Bitte bis Freitag antwort")


def test_lines_wrapped_for_transport_become_paragraphs_again() -> None:
    body = "Could you send \nme the figures \nby Friday?\n\n> older \n> words\n-- \nAna\n"
    mail = read(with_body(body, headers="Content-Type: text/plain; format=flowed\n"))

    assert "Could you send me the figures by Friday?\n" in mail.text
    assert "> older words" in mail.text
    assert "\n-- \nAna" in mail.text


def alternative(plain: str, html: str) -> bytes:
    message = MIMEMultipart("alternative")
    message["From"], message["Date"] = "ana@prado.example", "Thu, 3 Dec 2026 15:00:00 +0100"
    message.attach(MIMEText(plain, "plain"))
    message.attach(MIMEText(html, "html"))
    return message.as_bytes()


def test_the_plain_version_is_preferred() -> None:
    assert read(alternative("Lunch on Friday at noon?", "<p>Lunch?</p>")).text == "Lunch on Friday at noon?"


@pytest.mark.parametrize("stub", ["", "\n", "Please view this message in an HTML mail program."])
def test_a_plain_version_that_says_nothing_gives_way_to_html(stub: str) -> None:
    html = "<p>" + "Could you confirm the delivery on Friday? " * 4 + "</p>"

    assert "confirm the delivery" in read(alternative(stub, html)).text


def test_attachments_are_known_by_name_only() -> None:
    body = (
        "--b\nContent-Type: text/plain\n\nSee attached.\n"
        "--b\nContent-Type: text/plain; name*=utf-8''relat%C3%B3rio.txt\n"
        "Content-Disposition: attachment; filename*=utf-8''relat%C3%B3rio.txt\n\nsecret numbers\n--b--\n"
    )
    mail = read(with_body(body, headers="Content-Type: multipart/mixed; boundary=b\n"))

    assert mail.text == "See attached."
    assert mail.traits.attachments == ("relatório.txt",)


def test_a_mail_inside_a_mail_is_forwarded_text() -> None:
    inner = "From: Caio <caio@reis.example>\nSubject: Old matter\n\nPlease pay the bill.\n"
    body = (
        "--b\nContent-Type: text/plain\n\nFor your information.\n"
        f"--b\nContent-Type: message/rfc822\n\n{inner}\n--b--\n"
    )
    mail = read(with_body(body, headers="Content-Type: multipart/mixed; boundary=b\n"))

    assert "Please pay the bill." in of_kind(mail, "forwarded")
    assert "Please pay" not in of_kind(mail, "new")
    assert "For your information." in of_kind(mail, "new")


@pytest.mark.parametrize(
    "headers",
    [
        'Content-Type: multipart/encrypted; boundary="b"\n',
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n",
    ],
)
def test_an_encrypted_mail_says_so_and_is_no_evidence(headers: str) -> None:
    mail = read(with_body("--b\n\nxyz\n--b--\n", headers=headers))

    assert "encrypted" in mail.text
    assert of_kind(mail, "new") == ""


def test_an_invitation_is_told_in_words() -> None:
    calendar = (
        "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1\nDTSTART:20261204T090000Z\nDTEND:20261204T100000Z\n"
        "SUMMARY:Site visit\nLOCATION:Dock 4\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    body = (
        "--b\nContent-Type: text/plain\n\nHello\n"
        f"--b\nContent-Type: text/calendar; method=REQUEST\n\n{calendar}--b--\n"
    )
    mail = read(with_body(body, headers="Content-Type: multipart/mixed; boundary=b\n"))

    assert mail.traits.invitation == "REQUEST"
    assert "Site visit\nFriday 4 December 2026, 09:00–10:00 (UTC)." in of_kind(mail, "new")


@pytest.mark.parametrize(
    ("headers", "trait", "value"),
    [
        ("List-Id: Rowers <rowers.lists.example>\n", "list_id", "rowers.lists.example"),
        ("List-Unsubscribe: <mailto:u@shop.example>\n", "bulk", True),
        ("Precedence: bulk\n", "bulk", True),
        ("List-Unsubscribe: <mailto:u@l.example>\nList-Post: <mailto:l@l.example>\n", "bulk", False),
        ("Auto-Submitted: auto-replied\n", "automatic", True),
        ("Auto-Submitted: no\n", "automatic", False),
        ("Return-Path: <>\n", "automatic", True),
        ("Delivered-To: bo@lind.example\n", "delivered_to", "bo@lind.example"),
    ],
)
def test_the_envelope_tells_who_speaks(headers: str, trait: str, value: object) -> None:
    assert getattr(read(letter(headers=headers)).traits, trait) == value


@pytest.mark.parametrize(
    "sender", ["no-reply@shop.example", "noreply+7@shop.example", "MAILER-DAEMON@mx.example"]
)
def test_a_sender_that_nobody_reads_is_automatic(sender: str) -> None:
    assert read(letter().replace("ana@prado.example", sender, 1)).traits.automatic


def test_replies_share_the_thread_of_the_first_mail() -> None:
    first = read(letter(number=1))
    reply = read(letter(number=2, subject="Re: Figures", headers="In-Reply-To: <1@prado.example>\n"))
    later = read(
        letter(number=3, subject="AW: Figures", headers="References: <1@prado.example>\n <2@prado.example>\n")
    )

    assert first.thread_key == reply.thread_key == later.thread_key
    assert later.reply_to == reply.external_id
    assert later.thread_title == "Figures"


def test_replies_that_name_no_mail_meet_by_subject_and_people() -> None:
    one = read(letter(number=1, subject="Re: Figures"))
    back = letter(number=2, subject="RE: figures")
    back = back.replace("Ana Prado <ana@prado.example>", "X").replace("Bo Lind <bo@lind.example>", "Y")
    back = back.replace("From: X", "From: Bo Lind <bo@lind.example>").replace(
        "To: Y", "To: ana@prado.example"
    )

    assert read(back).thread_key == one.thread_key


def test_a_date_that_is_missing_is_taken_from_the_receiving_server() -> None:
    raw = letter(headers="Received: from a by b; Fri, 4 Dec 2026 08:00:00 +0000\n")
    undated = raw.replace("Date: Thu, 3 Dec 2026 15:00:00 +0100\n", "")

    assert read(undated).sent_at == datetime(2026, 12, 4, 8, 0, tzinfo=UTC)


def test_a_sender_whose_clock_is_years_ahead_is_not_believed() -> None:
    raw = letter(headers="Received: from a by b; Fri, 4 Dec 2026 08:00:00 +0000\n")

    assert read(raw.replace("3 Dec 2026", "3 Dec 2038")).sent_at.year == 2026


def test_a_mail_without_any_date_is_rejected_with_a_reason() -> None:
    found = read_or_reject("From: ana@prado.example\nSubject: x\n\nhi\n")

    assert found == Rejected("here", "Nothing says when it was sent.")


def test_the_same_mail_without_an_id_is_the_same_wherever_it_is_met() -> None:
    raw = letter().replace("Message-ID: <1@prado.example>\n", "")

    assert read(raw).identity == read(raw.replace("\n", "\r\n") + "\r\n").identity
    assert read(raw).identity != read(raw.replace("figures", "numbers")).identity


def test_gmails_labels_tell_sent_mail_from_spam() -> None:
    assert read(letter(headers="X-Gmail-Labels: Sent,Important\n")).from_me is True
    assert isinstance(read_or_reject(letter(headers="X-Gmail-Labels: Spam\n")), Rejected)


def test_mail_in_a_sent_folder_is_from_the_person() -> None:
    mail = read(letter(), in_sent_folder=True)

    assert mail.from_me is True
    assert mail.traits.sent_folder


def test_a_thousand_nested_parts_are_cut_with_a_note() -> None:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(1000))
    mail = read("From: ana@prado.example\nDate: Thu, 3 Dec 2026 15:00:00 +0100\n" + nested + "\nhi\n")

    assert "left out" in mail.text
    assert MAX_DEPTH < 1000


def test_a_very_long_text_is_kept_in_its_first_part_with_a_note() -> None:
    mail = read(letter("word " * 200_000))

    assert len(mail.text) < 401_000
    assert mail.text.endswith("very long.")
    assert of_kind(mail, "disclaimer").startswith("The rest")


@given(st.binary(max_size=400))
def test_no_bytes_at_all_raise(noise: bytes) -> None:
    assert isinstance(read_or_reject(noise), Incoming | Rejected)
    assert looks_like_mail(noise) in {True, False}


@given(
    st.lists(
        st.sampled_from(
            [
                b"Content-Type: multipart/mixed; boundary=b\n",
                b"Content-Type: multipart/alternative; boundary=b\n",
                b"Content-Type: message/rfc822\n",
                b"Content-Type: text/html; charset=x\n",
                b"Content-Transfer-Encoding: base64\n",
                b"Content-Type: text/calendar\n",
                b"--b\n",
                b"--b--\n",
                b"\n",
                b"hello =\n",
                b"=?utf-8?b?x\n",
                b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026\n",
            ]
        ),
        max_size=25,
    )
)
def test_no_arrangement_of_parts_raises_and_zones_always_cover(pieces: list[bytes]) -> None:
    mail = read(b"From: ana@prado.example\nDate: Thu, 3 Dec 2026 15:00:00 +0100\n" + b"".join(pieces))

    assert "".join(mail.text[zone.start : zone.end] for zone in mail.zones) == mail.text
