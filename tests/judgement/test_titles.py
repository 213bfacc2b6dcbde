from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from heedful.judgement import BuiltinFinder
from heedful.sources import Person
from tests.judgement.views import ANA, OWN, ROBIN, message, thread

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 26, 9, 10, tzinfo=ZONE)


def title(text: str, *, subject: str = "", lang: str = "en", **more: Any) -> str:  # noqa: ANN401 (a message's fields)
    one = message(text, subject=subject, lang=lang, **more)
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


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Can you check whether the invoice was paid?", "Check whether the invoice was paid"),
        ("de", "Bitte prüfe, ob die Rechnung bezahlt ist.", "Prüfen, ob die Rechnung bezahlt ist"),
        ("de", "Bitte frag, wann Tom kommt.", "Fragen, wann Tom kommt"),
        ("pt", "Podes verificar se a fatura foi paga?", "Verificar se a fatura foi paga"),
        ("es", "¿Puedes revisar si la factura está pagada?", "Revisar si la factura está pagada"),
        ("pt", "Me liga quando puder.", "Ligar a Ana Costa"),
    ],
)
def test_what_is_to_be_found_out_follows_its_verb(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Can you call me on Monday or Tuesday?", "Call Ana Costa on Monday or Tuesday"),
        (
            "en",
            "Please book the room for Monday, Tuesday or Wednesday.",
            "Book the room for Monday, Tuesday or Wednesday",
        ),
        ("en", "Can you water the plants on Friday and Sunday?", "Water the plants on Friday and Sunday"),
        (
            "de",
            "Kannst du mich am Montag oder am Dienstag anrufen?",
            "Ana Costa am Montag oder am Dienstag anrufen",
        ),
        ("pt", "Podes regar as plantas na sexta ou no domingo?", "Regar as plantas na sexta ou no domingo"),
        ("es", "¿Puedes llamarme el lunes o el martes?", "Llamar el lunes o el martes a Ana Costa"),
        ("en", "Please call me on Monday, 7 December, before 5 pm.", "Call Ana Costa"),
    ],
)
def test_of_several_days_a_title_tells_all_for_the_date_beside_it_is_one(
    lang: str, text: str, expected: str
) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Can you book us a table for four?", "Book a table for four"),
        ("en", "Can you book a table for us?", "Book a table"),
        ("en", "Can you get us some coffee?", "Get some coffee"),
        ("en", "Please order us two pizzas.", "Order two pizzas"),
        ("de", "Kannst du uns einen Tisch reservieren?", "Einen Tisch reservieren"),
        ("de", "Kannst du für uns Karten besorgen?", "Karten besorgen"),
        ("de", "Buchst du uns ein Zimmer?", "Ein Zimmer buchen"),
        ("pt", "Podes reservar-nos uma mesa?", "Reservar uma mesa"),
        ("pt", "Podes marcar uma mesa para nós?", "Marcar uma mesa"),
        ("es", "¿Puedes reservarnos una mesa?", "Reservar una mesa"),
        ("es", "¿Puedes reservar una mesa para nosotros?", "Reservar una mesa"),
    ],
)
def test_what_is_done_for_several_bears_no_name_for_the_reader_may_be_one_of_them(
    lang: str, text: str, expected: str
) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Can you buy me a ticket?", "Buy Ana Costa a ticket"),
        ("en", "Can you help us with the move?", "Help Ana Costa with the move"),
        ("en", "Can you pick us up at the station?", "Pick Ana Costa up at the station"),
        ("en", "Please send us the contract.", "Send the contract to Ana Costa"),
        ("de", "Kannst du uns den Vertrag schicken?", "Ana Costa den Vertrag schicken"),
        ("de", "Kannst du uns beim Umzug helfen?", "Ana Costa beim Umzug helfen"),
        ("pt", "Podes enviar-nos o contrato?", "Enviar o contrato a Ana Costa"),
        ("es", "¿Nos ayudas con la mudanza?", "Ayudar a Ana Costa con la mudanza"),
    ],
)
def test_who_alone_gets_something_is_met_or_helped_is_named(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Please confirm the meeting of Wednesday at 10:00 in Bath.", "Confirm the meeting in Bath"),
        (
            "es",
            "¿Puedes confirmar la reunión del miércoles a las 10:00 en Valencia?",
            "Confirmar la reunión en Valencia",
        ),
        (
            "pt",
            "Podes confirmar a reunião de quarta-feira às 10:00 em Lisboa?",
            "Confirmar a reunião em Lisboa",
        ),
        ("en", "Please check that Friday works for the team.", "Check that works for the team"),
    ],
)
def test_a_date_left_out_takes_the_word_along_that_tied_it_on(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Please reply to me by Friday.", "Reply to me@costa.example"),
        ("de", "Bitte schick den Bericht an mich.", "Den Bericht an me@costa.example schicken"),
        ("es", "¿Me puedes responder antes del viernes?", "Responder a me@costa.example"),
        ("pt", "Responde-me até sexta-feira.", "Responder a me@costa.example"),
    ],
)
@pytest.mark.parametrize("name", ["", "me"])
def test_whose_mailbox_only_says_me_is_named_by_the_whole_address(
    name: str, lang: str, text: str, expected: str
) -> None:
    assert title(text, lang=lang, author=Person(name, "me@costa.example")) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Please reply to me@costa.example by Friday.", "Reply to me@costa.example"),
        ("de", "Bitte antworte an me@costa.example bis Freitag.", "An me@costa.example antworten"),
        ("es", "Por favor, responde a me@costa.example.", "Responder a me@costa.example"),
        ("pt", "Por favor, responda a me@costa.example.", "Responder a me@costa.example"),
    ],
)
def test_an_address_in_a_sentence_stays_whole(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("es", "Por favor, respóndeme a mí.", "Responder a Ana Costa"),
        ("es", "Envía el informe a mí, por favor.", "Enviar el informe a Ana Costa"),
        ("es", "Manda el informe a mi hermano, por favor.", "Mandar el informe a su hermano"),
        ("pt", "Podes responder a mim até sexta?", "Responder a Ana Costa"),
        ("pt", "Manda o relatório para mim, por favor.", "Mandar o relatório a Ana Costa"),
    ],
)
def test_a_pronoun_behind_a_preposition_becomes_the_name_too(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


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


MINE: dict[str, Any] = {"from_me": True, "author": ROBIN, "to": (ANA,)}


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "I'll send you my comments by Friday.", "Send your comments to Ana Costa"),
        ("en", "I will review your draft by Friday.", "Review Ana Costa’s draft"),
        ("en", "I will bring my own laptop on Friday.", "Bring your own laptop"),
        ("en", "I will send you our offer tomorrow.", "Send our offer to Ana Costa"),
        ("pt", "Vou te mandar os meus comentários até sexta.", "Mandar os seus comentários a Ana Costa"),
        ("pt", "Vou enviar o meu relatório amanhã.", "Enviar o seu relatório"),
        ("es", "Voy a mandar mi informe mañana.", "Mandar tu informe"),
        ("es", "Te lo mando mañana.", "Mandarlo a Ana Costa"),
        ("es", "Mañana te devuelvo tu libro.", "Devolver su libro a Ana Costa"),
        ("es", "Te recojo en la estación a las 18:00.", "Recoger a Ana Costa en la estación"),
        ("es", "Yo me encargo de la factura antes del jueves.", "Encargarse de la factura"),
        ("es", "Mañana le pregunto al casero.", "Preguntar al casero"),
        ("de", "Ich werde mir das bis Mittwoch anschauen.", "Das anschauen"),
        ("es", "Lo hago mañana.", "Prometido a Ana Costa: Lo hago mañana."),
        (
            "en",
            "I'll send you what you asked for tomorrow.",
            "Promised to Ana Costa: I'll send you what you asked for tomorrow.",
        ),
        ("en", "I'll check my calendar and tell you tomorrow.", "Check your calendar and tell Ana Costa"),
        (
            "es",
            "Mañana te mando lo que me pediste.",
            "Prometido a Ana Costa: Mañana te mando lo que me pediste.",
        ),
        (
            "de",
            "Ich schicke dir morgen, was du brauchst.",
            "Ana Costa versprochen: Ich schicke dir morgen, was du brauchst.",
        ),
        ("pt", "Envio-te o contrato amanhã.", "Enviar o contrato a Ana Costa"),
        ("pt", "Eu te mando o relatório até sexta.", "Mandar o relatório a Ana Costa"),
        ("pt", "Até sexta revejo o teu texto.", "Rever o texto de Ana Costa"),
        ("de", "Ich schicke dir meinen Entwurf bis Freitag.", "Ana Costa deinen Entwurf schicken"),
        ("de", "Ich werde dir morgen den Bericht schicken.", "Ana Costa den Bericht schicken"),
        ("de", "Bis Dienstag prüfe ich deinen Entwurf.", "Den Entwurf von Ana Costa prüfen"),
        ("de", "Morgen rufe ich dich an.", "Ana Costa anrufen"),
        ("de", "Das mache ich morgen.", "Das machen"),
        ("de", "Ich kümmere mich bis Mittwoch um die Rechnung.", "Um die Rechnung kümmern"),
    ],
)
def test_the_persons_own_promise_speaks_to_them(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang, **MINE) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "I'll send you my comments by Friday.", "Waiting for Ana Costa: send you their comments"),
        (
            "pt",
            "Vou te mandar os meus comentários até sexta.",
            "À espera de Ana Costa: mandar os comentários",
        ),
        ("es", "Te envío mis comentarios el viernes.", "A la espera de Ana Costa: enviar sus comentarios"),
        (
            "de",
            "Ich schicke dir meine Kommentare bis Freitag.",
            "Warten auf Ana Costa: die Kommentare schicken",
        ),
        ("de", "Die Rechnung schicken wir Ihnen am Montag.", "Warten auf Ana Costa: die Rechnung schicken"),
    ],
)
def test_anothers_promise_says_whose_it_is(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Please send me my copy by Friday.", "Send their copy to Ana Costa"),
        ("pt", "Pode rever o meu rascunho até sexta?", "Rever o rascunho de Ana Costa"),
        ("pt", "Por favor, envie-me o meu exemplar até sexta.", "Enviar o exemplar a Ana Costa"),
        ("es", "Por favor, revisa mi borrador antes del viernes.", "Revisar su borrador"),
        ("en", "Can you tell me what you think of my plan?", "Tell Ana Costa what you think of their plan"),
        ("en", "Could you help me with my taxes on Friday?", "Help Ana Costa with their taxes"),
        ("en", "Can you check whether I have paid?", "Answer Ana Costa: Can you check whether I have paid?"),
        (
            "de",
            "Kannst du mir sagen, was du von meinem Plan hältst?",
            "Ana Costa sagen, was du von dem Plan hältst",
        ),
        (
            "de",
            "Bitte unterschreib unseren Vertrag und schick ihn uns zurück.",
            "Den Vertrag von Ana Costa unterschreiben",
        ),
        (
            "es",
            "Firma nuestro contrato y devuélvenoslo antes del viernes.",
            "Firmar su contrato y devolverlo",
        ),
        ("pt", "Ajudas-me com os meus impostos na sexta?", "Ajudar a Ana Costa com os impostos"),
        ("es", "¿Me mandas tu dirección?", "Mandar tu dirección a Ana Costa"),
        ("es", "Mándame el presupuesto antes del lunes.", "Mandar el presupuesto a Ana Costa"),
        ("es", "¿Le puedes escribir a Luis?", "Escribir a Luis"),
        ("es", "Rellena el formulario, por favor.", "Rellenar el formulario"),
        ("pt", "Mandas-me o contrato?", "Mandar o contrato a Ana Costa"),
        ("pt", "Você busca as crianças às cinco?", "Buscar as crianças"),
        ("de", "Schickst du mir das mal?", "Ana Costa das schicken"),
        ("de", "Schickst du mir den Vertrag?", "Ana Costa den Vertrag schicken"),
        ("de", "Könntest du mir die Mail von Luis weiterleiten?", "Ana Costa die Mail von Luis weiterleiten"),
        ("de", "Vergiss nicht, die Kinder abzuholen.", "Die Kinder abholen"),
        ("de", "Sag mir, wann du kommst.", "Ana Costa sagen, wann du kommst"),
        ("de", "Bitte prüfe meinen Entwurf bis Freitag.", "Den Entwurf von Ana Costa prüfen"),
    ],
)
def test_a_request_says_whose_it_is(lang: str, text: str, expected: str) -> None:
    assert title(text, lang=lang) == expected


def test_what_can_not_be_said_for_sure_stays_as_it_was_written() -> None:
    assert title("Vou rever o seu rascunho até sexta.", lang="pt", **MINE) == "Rever o seu rascunho"
    assert title("Vou enviar o meu.", subject="Relatório", lang="pt", **MINE) == "Enviar o seu"


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Mañana no te mando los datos.", {}),
        ("Ana me dice mañana si firmo el contrato.", MINE),
    ],
)
def test_a_form_of_the_speakers_that_is_denied_or_asked_after_promises_nothing(
    text: str, more: dict[str, Any]
) -> None:
    one = message(text, lang="es", **more)
    assert BuiltinFinder().find(thread(one), now=NOW, zone=ZONE, own=OWN).drafts == ()
