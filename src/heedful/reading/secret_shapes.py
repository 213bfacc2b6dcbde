"""What keys, tokens, passwords, private keys and card numbers look like.

Source: the public documentation of each issuer for its prefix and alphabet; ISO/IEC 7812-1 for card numbers.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from heedful.reading.spans import Span


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of secret; its pattern holds what is taken out in the group `secret`.

    `triggers` are lower-case; the pattern is matched only at places where one of them stands, and everywhere when there
    are none.
    """

    kind: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, triggers: tuple[str, ...], pattern: str, *, ignore_case: bool = False) -> Shape:
    return Shape(kind, triggers, re.compile(pattern, re.IGNORECASE if ignore_case else 0))


def _token(kind: str, triggers: tuple[str, ...], pattern: str) -> Shape:
    """A token that is told by its prefix and stands alone."""
    return _shape(kind, triggers, rf"(?<![A-Za-z0-9_-])(?P<secret>{pattern})")


_ASSIGNED = (
    r"[\"']?(?:[ \t]*\([^()\n]{0,30}\))?[ \t*]{0,8}(?::=|=>|[:=：])[ \t*]{0,8}[\"']?"
    r"(?![ \t]|\[redacted: |https?://|//)"
)
_VALUE = r"(?:(?!\[redacted: )[^\s\"'<>&])"
_NOT_A_STOP = r"(?<![.,;:!?)])"
_KEY_OF = "|".join(
    rf"(?<={owner}{gap})" for owner in ("api", "access", "secret", "private") for gap in ("", "[ _-]")
)
_PASSWORD_TRIGGERS = (
    "password",
    "passwort",
    "passwd",
    "passphrase",
    "kennwort",
    "senha",
    "palavra-passe",
    "contraseña",
    "clave de acceso",
    "pwd",
)


@lru_cache(maxsize=1)
def shapes() -> tuple[Shape, ...]:
    """Every shape but private keys and cards, in the order in which they are tried; compiled at first use."""
    return (*_told_by_a_prefix(), *_of_more_issuers(), *_told_by_a_form(), *_sent_along(), *_written_out())


def _told_by_a_prefix() -> tuple[Shape, ...]:
    """What an issuer's own first letters give away."""
    return (
        _token("Anthropic key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{16,}"),
        _token("OpenAI key", ("sk-",), r"sk-(?!ant-)(?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{20,}"),
        _token("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{30,}"),
        _token("GitHub token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{30,}"),
        _token(
            "GitLab token",
            ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"),
            r"gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_.-]{18,}",
        ),
        _token(
            "AWS key",
            ("akia", "asia", "aroa", "aida", "abia", "acca"),
            r"(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
        ),
        _token("Google key", ("aiza",), r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
        _token("Google key", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{20,}"),
        _token("Google key", ("gocspx-",), r"GOCSPX-[A-Za-z0-9_-]{20,}"),
        _token(
            "Stripe key",
            ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "pk_test_"),
            r"[srp]k_(?:live|test)_[A-Za-z0-9]{16,}",
        ),
        _token("Stripe key", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{16,}"),
        _token("Slack token", ("xox", "xapp-"), r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}"),
        _token(
            "Slack token", ("hooks.slack.com/services/",), r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"
        ),
        _token("npm token", ("npm_",), r"npm_[A-Za-z0-9]{36,}"),
        _token("PyPI token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{50,}"),
        _token("SendGrid key", ("sg.",), r"SG\.[A-Za-z0-9_-]{16,128}\.[A-Za-z0-9_-]{16,}"),
    )


def _of_more_issuers() -> tuple[Shape, ...]:
    """The same, of those whose keys are met less often; each is of a length of its own."""
    return (
        _token("Hugging Face token", ("hf_",), r"hf_[A-Za-z0-9]{30,}(?![A-Za-z0-9_-])"),
        _token(
            "DigitalOcean token",
            ("dop_v1_", "doo_v1_", "dor_v1_"),
            r"do[opr]_v1_[0-9a-f]{64}(?![A-Za-z0-9_-])",
        ),
        _token("Docker token", ("dckr_",), r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
        _token("Shopify token", ("shp",), r"shp(?:at|ca|pa|ss)_[0-9a-f]{32}(?![A-Za-z0-9_-])"),
        _token("Databricks token", ("dapi",), r"dapi[0-9a-f]{32}(?![A-Za-z0-9_-])"),
        _token("Linear key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{32,}(?![A-Za-z0-9_-])"),
        _token("Figma token", ("figd_",), r"figd_[A-Za-z0-9_-]{32,}"),
        _token("Notion token", ("ntn_",), r"ntn_[A-Za-z0-9]{40,}(?![A-Za-z0-9_-])"),
        _token("Groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}(?![A-Za-z0-9_-])"),
        _token("xAI key", ("xai-",), r"xai-[A-Za-z0-9]{64,}(?![A-Za-z0-9_-])"),
        _token("age key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}(?![A-Za-z0-9_-])"),
    )


def _told_by_a_form() -> tuple[Shape, ...]:
    """What has an issuer's length and alphabet, beside what goes before it."""
    return (
        _shape("Twilio key", (), r"(?P<secret>(?:SK|AC)(?<![A-Za-z0-9_-]..)[0-9a-f]{32})(?![A-Za-z0-9])"),
        _shape(
            "Azure key",
            ("accountkey=", "sharedaccesskey=", "?sig=", "&sig="),
            r"[?&]?[a-z]{3,15}=(?P<secret>[A-Za-z0-9%+/=_-]{30,})",
            ignore_case=True,
        ),
        _shape(
            "Azure key",
            ("8q~",),
            r"(?<=[A-Za-z0-9]{3})(?P<secret>8Q~[A-Za-z0-9_.~-]{31,34})(?![A-Za-z0-9_.~-])",
        ),
        _shape(
            "Telegram bot token", (":aa",), r"(?<=\d{8}):(?P<secret>AA[A-Za-z0-9_-]{32,33})(?![A-Za-z0-9_-])"
        ),
        _token("JWT", ("eyj",), r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    )


def _sent_along() -> tuple[Shape, ...]:
    """What a program sends with a request: in its headers, or in an address."""
    return (
        _shape(
            "authorization header",
            ("authorization",),
            r"authorization[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?(?:bearer|basic|token|digest|apikey|negotiate)[ \t]{1,8}"
            rf"(?P<secret>{_VALUE}{{6,}})",
            ignore_case=True,
        ),
        _shape(
            "bearer token",
            ("bearer ",),
            r"bearer[ \t]{1,8}(?P<secret>(?=[A-Za-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=-]{16,})",
            ignore_case=True,
        ),
        _shape(
            "OAuth parameter",
            ("access_token=", "refresh_token=", "id_token=", "client_secret=", "assertion=", "code="),
            r"(?<=[?&#_])(?:(?:access|refresh|id)_token|client_secret|assertion|code)="
            r"(?P<secret>(?:(?!\[redacted: )[^&\s\"'<>#\]]){12,})",
            ignore_case=True,
        ),
        _shape(
            "password in a link",
            ("://",),
            r"://[^\s/:@\[\]]{0,64}:(?P<secret>[^\s/@\[\]]{1,128})@",
        ),
    )


def _written_out() -> tuple[Shape, ...]:
    """What somebody gives a name to: «password: …», «the password is …», «API key = …»."""
    return (
        _shape(
            "password",
            _PASSWORD_TRIGGERS,
            rf"(?:{'|'.join(_PASSWORD_TRIGGERS)}){_ASSIGNED}(?P<secret>{_VALUE}{{3,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
        _shape(
            "password",
            ("password", "passwort", "kennwort", "senha", "palavra-passe", "contraseña", "clave de acceso"),
            r"(?:passwor[dt]|kennwort|senha|palavra-passe|contraseña|clave de acceso)[ \t]{1,8}"
            r"(?:is|ist|lautet|é|es)[ \t]{0,8}:?[ \t]{1,8}[\"']?"
            rf"(?P<secret>(?=[^\s\d]{{0,64}}\d){_VALUE}{{5,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
        _shape(
            "secret",
            ("key", "token", "secret"),
            rf"(?:(?:{_KEY_OF})key|token|secret){_ASSIGNED}(?P<secret>{_VALUE}{{8,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
    )


_KEY_BEGIN = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"(?:[\s>]*+[A-Za-z0-9+/=]{16,}+)*+")
_KEY_CHARS = 32_768


def private_keys(text: str) -> Iterator[Span]:
    """The PEM, OpenSSH and PGP private key blocks; one that was cut off ends with its last line of key material."""
    if "PRIVATE KEY" not in text:
        return
    ends = [found.end() for found in _KEY_END.finditer(text)]
    position = 0
    for begin in _KEY_BEGIN.finditer(text):
        if begin.start() < position:
            continue
        following = bisect_left(ends, begin.end())
        whole = following < len(ends) and ends[following] - begin.end() <= _KEY_CHARS
        body = _KEY_BODY.match(text, begin.end())
        position = ends[following] if whole else body.end() if body else begin.end()
        yield Span(begin.start(), position)


CARD_RUN = re.compile(r"\d(?<![\w.+/=-]\d)(?:[ -]?\d){12,}+[\w/]?")
"""Digits in a row, and what would make them no card: a run that is refused whole is not tried again from each digit."""

_CARD_GROUPS = re.compile(r"\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}")
_CARD_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"  # American Express, Diners Club, JCB
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}|(?:50|5[6-9]|6[0137])\d{14}"  # Discover, UnionPay, Maestro
)


def is_card(written: str) -> bool:
    """Whether digits with spaces or dashes are a payment card's: grouping, issuer and check digit agree."""
    if not _CARD_GROUPS.fullmatch(written):
        return False
    digits = re.sub(r"\D", "", written)
    return _CARD_ISSUERS.fullmatch(digits) is not None and _luhn(digits) and len(set(digits)) > 1


def _luhn(digits: str) -> bool:
    """Source: ISO/IEC 7812-1 annex B."""
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (doubled + sum(int(digit) for digit in digits[-1::-2])) % 10 == 0
