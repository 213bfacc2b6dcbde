from heedful.tokenjuice import Juicer, Kind
from tests.tokenjuice.samples import INVITED, THREAD

REPLY = """From: Rui Vale <rui@firm.example>
To: Ana Prado <ana@firm.example>
Date: Tue, 01 Dec 2026 11:30:00 +0000
Subject: Re: Contract with Norte
X-Spam-Score: 0.1
Content-Type: text/plain; charset=utf-8

On Tue, 01 Dec 2026 Ana Prado wrote:
> Could you send me the signed contract by Friday, 4 December? The amount is 12,400.00 EUR.
>
> --
> Ana Prado
> Head of Purchasing

I will send it on Thursday at 15:00.

This message is confidential and intended only for the person it is addressed to.
If you are not the intended recipient, please notify the sender and delete it.
"""

NEWSLETTER = """<html><head><style>p {color: red}</style><title>x</title></head><body>
<div style="display:none">Hidden teaser for your inbox</div>
<table><tr><td><p>Hello Rui,</p><p>The <b>spring fair</b> opens on 12 May 2027. A ticket is 45.00 EUR.</p>
<a href="https://fair.example/tickets?utm_source=mail&amp;utm_campaign=x&amp;day=2">Buy a ticket</a>
<a href="https://click.mailer.example/ls/click?upn=Zk3lq0Pj8dT5xYwQm2nR7sVbC4hG9aEuKfNo1iLtXyWzQpRsTuVwXyZaB">
<img src="x.gif" alt="logo"></a>
<script>alert('x')</script>
<p>You are receiving this because you signed up. <a href="https://fair.example/u">Unsubscribe</a></p>
<p>Fair Ltd, Rua Nova 4, fair@fair.example</p></td></tr></table></body></html>"""

CHAT = "\n".join(
    [
        "[01/12/2026, 09:00:01] Ana: Shall we meet at 15:00?",
        "[01/12/2026, 09:00:40] Rui: ok",
        "[01/12/2026, 09:01:10] Rui: I will bring the contract",
        "[01/12/2026, 09:01:30] Ana: thanks!",
        "[01/12/2026, 09:02:00] Ana: <Media omitted>",
        "[02/12/2026, 18:30:00] Rui: Invoice 4711 is 90 EUR",
    ]
)


def told(text: str, kind: Kind | None = None, pinned: tuple[str, ...] = ()) -> str:
    return Juicer().compress(text, kind=kind, pinned=pinned).text


def test_what_was_quoted_is_there_once() -> None:
    text = told(f"From a@b.example Tue Dec 1 2026\n{THREAD}From c@d.example Tue Dec 1 2026\n{REPLY}")

    assert text.count("signed contract by Friday") == 1
    assert "I will send it on Thursday at 15:00." in text


def test_headers_nobody_reads_are_gone_and_the_others_stay() -> None:
    text = told(REPLY)

    assert "From: Rui Vale <rui@firm.example>" in text
    assert "Subject: Re: Contract with Norte" in text
    assert "X-Spam-Score" not in text


def test_a_legal_notice_is_gone() -> None:
    assert "intended recipient" not in told(REPLY)


def test_a_quote_of_something_unseen_keeps_its_facts_and_questions() -> None:
    quoted = [f"> filler words of line {n} that say nothing much" for n in range(20)]
    quoted[9] = "> The rent is 900 EUR, due on 5 May 2027."
    quoted[12] = "> Could you sign it?"

    text = told("Hello,\n\nAna wrote:\n" + "\n".join(quoted) + "\n\nYes.\n", Kind.QUOTED)

    assert "The rent is 900 EUR, due on 5 May 2027." in text
    assert "Could you sign it?" in text
    assert "line 7" not in text


def test_talk_about_unsubscribing_is_not_taken_for_a_footer() -> None:
    sentence = "I have tried to unsubscribe from this list for two months now, and nobody answers my letters about it."

    assert sentence in told(f"From: a@b.example\nTo: c@d.example\nSubject: x\n\n{sentence}\n")


def test_markup_becomes_the_words_and_the_links_that_lead_somewhere() -> None:
    text = told(NEWSLETTER)

    assert "The spring fair opens on 12 May 2027. A ticket is 45.00 EUR." in text
    assert "Buy a ticket <https://fair.example/tickets?day=2>" in text
    assert "fair@fair.example" in text
    for gone in ("Hidden teaser", "alert", "click.mailer.example", "color: red", "Unsubscribe"):
        assert gone not in text


def test_deeply_nested_markup_does_not_exhaust_the_stack() -> None:
    assert "deep" in told("<div>" * 20_000 + "deep" + "</div>" * 20_000, Kind.HTML)


def test_a_chat_names_the_day_once_and_keeps_what_was_said() -> None:
    text = told(CHAT)

    assert text.count("01/12/2026") == 1
    assert "Invoice 4711 is 90 EUR" in text
    assert "I will bring the contract" in text


def test_an_ok_that_answers_a_question_stays_and_thanks_for_nothing_go() -> None:
    text = told(CHAT)

    assert "Rui: ok" in text
    assert "thanks!" not in text
    assert "Media omitted" not in text


def test_with_evidence_pinned_the_rest_of_a_chat_is_thinned_out() -> None:
    talk = [
        f"[01/12/2026, 09:{n:02d}:00] {'Ana' if n % 2 else 'Rui'}: some words about topic {n} and more"
        for n in range(60)
    ]

    text = told("\n".join(talk), pinned=("words about topic 30",))

    assert "topic 30" in text
    assert "topic 31" in text
    assert "topic 50" not in text


def test_an_invitation_tells_what_when_where_and_who() -> None:
    text = told(INVITED)

    for part in (
        "Summary: Budget review",
        "Start: 20261203T150000 Europe/Lisbon",
        "Where: Room 4",
        "Organiser: Ana Prado <ana@firm.example>",
        "Attendee: Rui Vale <rui@firm.example> (needs-action)",
        "https://meet.example/abc",
    ):
        assert part in text
    assert "VALARM" not in text
    assert "19701025" not in text


def test_a_mail_that_turns_out_to_be_empty_still_has_its_books_in_order() -> None:
    parts = (
        'Content-Type: multipart/mixed; boundary="a"\n\n--a\nContent-Type: multipart/mixed; boundary="ab"\n'
    )
    head = "From: a@b.example\nTo: c@d.example\nMIME-Version: 1.0\n"
    text = f"{head}{parts}--ab\nContent-Type: text/plain\n\n--ab--\n--a--\n"

    squeezed = Juicer().compress(text)

    assert squeezed.input_lines + sum(s.written - s.removed for s in squeezed.steps) == squeezed.output_lines


def test_a_letter_that_is_nothing_but_a_quote_is_kept() -> None:
    text = "\n".join(f"> verse {n} of a poem somebody passed on without a word" for n in range(40))

    assert Juicer().compress(text).text == text


def test_parts_nested_deeper_than_any_program_does_are_left_as_they_are() -> None:
    nested = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(2000))

    squeezed = Juicer().compress(
        f"From: a@x.example\nTo: b@x.example\nSubject: x\n{nested}\nhi", kind=Kind.MAIL
    )

    assert "hi" in squeezed.text


def test_an_attendee_with_several_quoted_values_is_told() -> None:
    invitation = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Review\n"
        + "X-ALT-DESC:"
        + "x" * 400
        + "\n"
        + 'ATTENDEE;MEMBER="mailto:a@x.example","mailto:b@x.example";CN=Ana:mailto:ana@x.example\n'
        + "END:VEVENT\nEND:VCALENDAR\n"
    )

    assert "Attendee: Ana <ana@x.example>" in Juicer().compress(invitation, kind=Kind.INVITATION).text
