"""Secrets that only the words before them tell: one-time codes, PINs, card codes, the words that restore a wallet.

In English, German, Portuguese and Spanish. A code that opens a door, a parcel locker or a meeting, or that makes
something cheaper, is none of them: a person looks for it later.
"""

from functools import lru_cache

from heedful.reading.secret_shapes import Shape, shape

_IS = r"is|ist|lautet|lauten|é|es|=|:|：|-|–|—"
_ALONE = r"[ \t*_]{0,4}(?:\r?\n[ \t>*_]{0,8}){1,3}(?=[A-Za-z0-9 -]{4,9}[ \t*_]{0,8}(?:\r?\n|\Z))"
_NEAR = rf"(?:(?:[ \t*_]{{0,4}}(?:{_IS})){{1,2}}[ \t\r\n>*_]{{1,12}}|{_ALONE})"
"""Between a label and what it names: a verb, a colon, or both, and a line or two; or it stands on a line of its own."""
_NEXT = r"[ \t](?=\d{6})"
_FOR = (
    r"(?:[ \t](?:for|from|to|für|zum|zur|von|bei|para|de|do|da|del|no|na|en)[ \t]"
    r"(?:[^\n:=]{1,80}+(?=[:=\n])|[^\n:=]{1,80}?(?=[ \t](?:is|ist|lautet|é|es)\b)))?"
)
_DIGITS = r"(?:\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d{4,8})"
_CODE = rf"(?P<secret>(?:(?-i:[A-Z]{{1,2}})-)?{_DIGITS}|(?-i:(?=[A-Z]{{0,7}}\d)[A-Z0-9]{{5,8}}))"
_ENDS = r"(?![^\W_]|[ \t]?[%€$£#]|[-/.,:]\d|[ -]\d)"
"""Not where digits go on as an amount, a time, a date or a longer number, nor before what ends a number to dial."""
_STARTS = r"(?<![^\W_])"

_OF_A_CODE = (
    "verification|security|authentication|authorization|authorisation|login|log-in|sign-in|signin|one-time|one time"
    "|two-factor|2fa|mfa|activation|recovery|reset|sms|otp"
    "|verifizierungs|verifikations|bestätigungs|sicherheits|anmelde|einmal|freischalt|aktivierungs|authentifizierungs"
)
_YOURS = "your|your confirmation|dein|deinen|ihr|ihren|seu|teu|tu|su"
_ENTERED = "use|use the|enter|enter the|den|dem|use o|digite o|insira o|usa el|utiliza el"
_PURPOSE = (
    r"[ \t](?:(?:to|for|para|um|zum|zur)[ \t](?:[^\W\d_]{1,12}[ \t]){0,2}?"
    r"(?:verif|sign|log|confirm|authenti|reset|acess|acced|entrar|inici|bestätig|anmeld)|ein\b)"
)
_LOGIN_CODE_PT_ES = (
    r"código(?: [^\W\d_]{2,10})? de (?:verifica(?:ção|ción)|seguran[çc]a|seguridad|autentica(?:ção|ción)|ativação"
    r"|activación|valida(?:ção|ción)|confirma(?:ção|ción)|inicio de sesión|uso único|un solo uso)"
)


@lru_cache(maxsize=1)
def told_by_words() -> tuple[Shape, ...]:
    """The shapes, in the order in which they are tried; compiled at first use."""
    return (*_one_time_codes(), *_numbers_of_a_card(), _wallet_words())


def _one_time_codes() -> tuple[Shape, ...]:
    labels = (
        (
            ("code",),
            rf"(?:{_after(_OF_A_CODE, ' ', '-', '', ' pass', '-pass')})code{_FOR}(?:{_NEAR}|{_NEXT})",
        ),
        (("code", "código", "token"), rf"(?:{_after(_YOURS, ' ')})(?:code|código|token){_FOR}{_NEAR}(?=\d)"),
        (("código",), rf"{_LOGIN_CODE_PT_ES}{_FOR}(?:{_NEAR}|{_NEXT})"),
        (("otp",), rf"{_STARTS}otp{_FOR}(?:{_NEAR}|{_NEXT})"),
        (
            ("tan",),
            rf"(?:{_STARTS}|(?<=m)|(?<=sms)|(?<=push)|(?<=chip))tan(?:-?(?:nummer|code))?{_FOR}{_NEAR}",
        ),
    )
    told = (shape("one-time code", words, label + _CODE + _ENDS, ignore_case=True) for words, label in labels)
    entered = rf"(?:{_after(_ENTERED, ' ')})(?:code|código)[ \t]{_CODE}{_ENDS}{_PURPOSE}"
    is_yours = (
        rf"(?P<secret>\d(?<![^\W_].)(?<![.,:/].)(?:\d\d[ -]?\d{{3}}|\d{{3,7}}))"
        r"[ \t](?:is|ist|é|es)[ \t](?:your|dein|ihr|o seu|seu|o teu|teu|tu|su)[ \t]"
        rf"(?:[^\W\d_]{{2,20}}[ \t]){{0,3}}?(?:(?:(?:{_OF_A_CODE})[ -]?)?(?:pass)?code|otp|código)\b"
    )
    return (
        *told,
        shape("one-time code", ("code", "código"), entered, ignore_case=True),
        shape(
            "one-time code",
            ("code", "código", "otp"),
            is_yours,
            ignore_case=True,
            around=90,
        ),
    )


def _numbers_of_a_card() -> tuple[Shape, ...]:
    """A PIN that is told as somebody's, or stands by itself with a length that no postal code has, and card codes."""
    pin = rf"{_STARTS}(?<!host )(?<!meeting )(?<!participant )(?<!conference )pin(?:[ -]?(?:number|nummer|code))?"
    verb = rf"{_FOR}[ \t]{{1,4}}(?:is|ist|lautet|é|es)[ \t]{{0,2}}:?[ \t\r\n]{{1,4}}(?P<secret>{_DIGITS})"
    colon = r"[ \t*_]{0,4}[:=][ \t*_]{0,6}(?P<secret>\d{4,5}|\d{8})"
    return (
        shape("PIN", ("pin",), rf"{pin}{verb}{_ENDS}", ignore_case=True),
        shape("PIN", ("pin",), rf"{pin}{colon}{_ENDS}", ignore_case=True),
        shape(
            "PIN",
            ("puk",),
            rf"{_STARTS}puk[12]?(?:{_NEAR}|[ \t])(?P<secret>\d{{8}}){_ENDS}",
            ignore_case=True,
        ),
        shape(
            "card code",
            ("cvv", "cvc"),
            rf"{_STARTS}cv[vc]2?(?:[ -]?(?:code|number|nummer|prüfziffer))?(?:{_NEAR}|[ \t]|:)"
            rf"(?P<secret>\d{{3,4}}){_ENDS}",
            ignore_case=True,
        ),
    )


def _wallet_words() -> Shape:
    """Twelve to twenty-four words, in threes, that are introduced as those of a wallet.

    Source: BIP-39, «Generating the mnemonic»; its lists have words of three to nine letters and hardly a small word.
    """
    small = "the|and|your|you|with|for|not|are|our|his|her|from|have|has|was|were|them|der|die|das|und|mit|nicht|dein"
    small += "|deine|ihre|con|para|que|los|las|una|uma|com|não|sua|seu|dos|das|por"
    word = rf"(?!(?:{small})\b)(?-i:[a-zà-ÿ]){{3,9}}(?![^\W_])"
    between = r"[ \t]{0,2}[,;]?[\s>*-]{1,6}(?:\d{1,2}[.):]?[ \t]{1,2})?"
    words = rf"{word}(?:{between}{word}){{11}}(?:(?:{between}{word}){{3}}){{0,4}}"
    owners = "recovery|seed|secret|backup|mnemonic|wallet|wiederherstellungs"
    label = "|".join(
        (
            rf"(?:{_after(owners, ' ', '-', '')})(?:phrase|words)|mnemonic",
            r"frase(?:[ -](?:semente|semilla)| de recupera(?:ção|ción))",
        )
    )
    verb = r"\b(?:is|are|ist|sind|lautet|lauten|é|es|são|son)"
    introduced = rf"[^\n:]{{0,60}}?(?::|{verb})[\s>*_]{{1,12}}(?:1[.):]?[ \t]{{1,2}})?"
    return shape(
        "recovery phrase",
        ("phrase", "words", "mnemonic", "frase"),
        rf"(?:{label}){introduced}(?P<secret>{words})(?![ \t]{{1,2}}[^\W\d_]{{3}})",
        ignore_case=True,
    )


def _after(owners: str, *gaps: str) -> str:
    """Where one of these words, told apart by bars, stands right before, with one of these between."""
    return "|".join(rf"(?<={owner}{gap})" for owner in owners.split("|") for gap in gaps)
