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
    are none. A secret that may stand before its trigger is looked for up to `around` characters on both sides of it.
    `mark` is a character that all of the triggers hold and prose seldom does, empty where there is none.
    """

    kind: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    around: int = 0
    mark: str = ""


MARKS = "_=~:/.-"


def shape(
    kind: str,
    triggers: tuple[str, ...],
    pattern: str,
    *,
    ignore_case: bool = False,
    around: int = 0,
) -> Shape:
    """A shape with its pattern compiled."""
    shared = (mark for mark in MARKS if triggers and all(mark in trigger for trigger in triggers))
    compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    return Shape(kind, triggers, compiled, around, next(shared, ""))


def _token(kind: str, triggers: tuple[str, ...], pattern: str) -> Shape:
    """A token that is told by its prefix and stands alone."""
    return shape(kind, triggers, rf"(?<![A-Za-z0-9_-])(?P<secret>{pattern})")


_NO_VALUE = "|".join(
    (
        r"[a-z_][\w.]{0,60}[(\[](?:[\"')\]]|[a-z_][\w.]{0,60}[()\[\]=,])",
        r"(?:process|import\.meta)\.env\b|os\.environ\b|(?-i:\$[A-Z_]{3,40}(?!\w))",
        r"\$\{\w|\{\{|\{[a-z_][\w.]{2,60}\}|\[[a-z][a-z ]{2,40}\]",
        r"(?:your|my|some)_(?:[a-z]{1,20}_){0,4}(?:key|token|secret|password|here)(?!\w)",
        r"(?:none|null|nil|undefined|true|false|hashed_password)(?![^\s\"',;)\]}])",
    )
)
"""Where a program takes it from instead: a call, its environment; and what a template leaves to be filled in."""
_SAID_OF_IT = (
    "for|stored|ensure|see|use|choose|enter|create|set|make|keep|ask|required|optional|needed|changed|forgotten|expired"
    "|number|numbers|characters|letters|minimum|unknown|hidden|protected|reset"
    "|número|obrigatória|obrigatório|opcional|alterada|escolha|digite|esqueci|expirada|inválida|incorreta|mínimo"
    "|obligatoria|obligatorio|elige|introduce|olvidada|caducada|incorrecta|nummer|erforderlich|vergessen|geändert"
    "|abgelaufen|siehe|mindestens|falsch"
)
"""Words with which a sentence about a password goes on, or a form's field: none is anybody's password."""
_ASSIGNED = (
    r"[\"']?(?:[ \t]*\([^()\n]{0,30}\))?[ \t*]{0,8}(?::=|=>|[:=：])[ \t*]{0,8}[\"']?"
    rf"(?![ \t]|\[redacted: |https?://|//|{_NO_VALUE}|(?:{_SAID_OF_IT})(?![^\s.,;:!?]))"
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
        _token("Slack token", ("xox", "xapp-"), r"(?:xox[a-z]|xapp)-[A-Za-z0-9%-]{10,}"),
        _token(
            "Slack token",
            ("hooks.slack.com/",),
            r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}",
        ),
        _token(
            "Discord token",
            ("discord.com/api/", "discordapp.com/api/"),
            r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,20}/[A-Za-z0-9_-]{40,}",
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
        _token(
            "Atlassian token",
            ("atatt3", "atctt3", "atbb"),
            r"(?:AT[AC]TT3[A-Za-z0-9_=-]{40,}|ATBB[A-Za-z0-9]{28,})",
        ),
        _token("Vault token", ("hvs.",), r"hvs\.[A-Za-z0-9_-]{24,}"),
        _token("Grafana token", ("glsa_",), r"glsa_[A-Za-z0-9+/=_]{32,}"),
        _token("Sentry token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
        _token(
            "Supabase key",
            ("sbp_", "sb_secret_"),
            r"(?:sbp_[0-9a-f]{40}(?![A-Za-z0-9_-])|sb_secret_[A-Za-z0-9_-]{20,})",
        ),
        _token("RubyGems key", ("rubygems_",), r"rubygems_[0-9a-f]{48}(?![A-Za-z0-9_-])"),
        _token("Tailscale key", ("tskey-",), r"tskey-[a-z]{2,10}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{20,}"),
        _token("Nostr key", ("nsec1",), r"nsec1[02-9ac-hj-np-z]{58}(?![A-Za-z0-9_-])"),
        _token("age key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}(?![A-Za-z0-9_-])"),
    )


def _told_by_a_form() -> tuple[Shape, ...]:
    """What has an issuer's length and alphabet, beside what goes before it."""
    return (
        shape("Twilio key", (), r"(?P<secret>(?:SK|AC)(?<![A-Za-z0-9_-]..)[0-9a-f]{32})(?![A-Za-z0-9])"),
        shape(
            "Azure key",
            ("key", "sig"),
            r"(?:(?:(?<=account)|(?<=sharedaccess))key|(?<=[?&])sig)=(?P<secret>[A-Za-z0-9%+/=_-]{30,})",
            ignore_case=True,
        ),
        shape(
            "Azure key",
            ("8q~",),
            r"(?<=[A-Za-z0-9]{3})(?P<secret>8Q~[A-Za-z0-9_.~-]{31,34})(?![A-Za-z0-9_.~-])",
        ),
        shape(
            "Terraform token",
            (".atlasv1.",),
            r"(?<=[A-Za-z0-9]{14})(?P<secret>\.atlasv1\.[A-Za-z0-9_=-]{60,})",
        ),
        shape(
            "Telegram bot token", (":aa",), r"(?<=\d{8}):(?P<secret>AA[A-Za-z0-9_-]{32,33})(?![A-Za-z0-9_-])"
        ),
        shape(
            "Discord token",
            ("discord",),
            r"(?<![A-Za-z0-9_-])(?P<secret>[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})"
            r"(?![A-Za-z0-9_-])",
            around=400,
        ),
        shape(
            "wallet key",
            ("prv",),
            r"prv(?<=[xyzt]...)(?<![A-Za-z0-9]....)(?P<secret>[1-9A-HJ-NP-Za-km-z]{107})(?![A-Za-z0-9])",
        ),
        _token("JWT", ("eyj",), r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    )


def _sent_along() -> tuple[Shape, ...]:
    """What a program sends with a request: in its headers, or in an address."""
    return (
        shape(
            "authorization header",
            ("authorization",),
            r"authorization[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?(?:bearer|basic|token|digest|apikey|negotiate)[ \t]{1,8}"
            rf"(?P<secret>{_VALUE}{{6,}})",
            ignore_case=True,
        ),
        shape(
            "bearer token",
            ("bearer ",),
            r"bearer[ \t]{1,8}(?P<secret>(?=[A-Za-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=-]{16,})",
            ignore_case=True,
        ),
        shape(
            "OAuth parameter",
            ("token", "secret", "assertion", "code"),
            r"(?:(?:(?<=[?&#_]access_)|(?<=[?&#_]refresh_)|(?<=[?&#_]id_))token|(?<=[?&#_]client_)secret"
            r"|(?<=[?&#_])(?:assertion|code))="
            r"(?P<secret>(?:(?!\[redacted: )[^&\s\"'<>#\]]){12,})",
            ignore_case=True,
        ),
        shape(
            "password in a link",
            ("://",),
            r"://[^\s/:@\[\]]{0,64}:(?P<secret>[^\s/@\[\]]{1,128})@",
        ),
    )


def _written_out() -> tuple[Shape, ...]:
    """What somebody gives a name to: «password: …», «the password is …», «API key = …»."""
    return (
        shape(
            "password",
            _PASSWORD_TRIGGERS,
            rf"(?:{'|'.join(_PASSWORD_TRIGGERS)}){_ASSIGNED}"
            rf"(?P<secret>[a-z]{{4}}(?: [a-z]{{4}}){{3}}\b|{_VALUE}{{3,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
        shape(
            "password",
            ("password", "passwort", "kennwort", "senha", "palavra-passe", "contraseña", "clave de acceso"),
            r"(?:passwor[dt]|kennwort|senha|palavra-passe|contraseña|clave de acceso)[ \t]{1,8}"
            r"(?:is|ist|lautet|é|es)[ \t]{0,8}:?[ \t]{1,8}[\"']?"
            rf"(?P<secret>(?=[^\s\d]{{0,64}}\d){_VALUE}{{5,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
        shape(
            "secret",
            ("key", "token", "secret"),
            rf"(?:(?:{_KEY_OF})key|token|secret){_ASSIGNED}(?P<secret>{_VALUE}{{8,}}{_NOT_A_STOP})",
            ignore_case=True,
        ),
    )


_KEY_BEGIN = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----"
    r"|Private-Lines: \d{1,3}(?=\r?\n)"
)
_KEY_END = re.compile(
    r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 [A-Z ]{0,20}PRIVATE KEY ----"
    r"|Private-MAC: [0-9a-f]{40,64}"
)
_KEY_BODY = re.compile(
    r"(?:[\s>\\]{1,8}[A-Za-z-]{4,20}: [^\n\\]{0,100}){0,6}(?:[\s>\\]*+[A-Za-z0-9+/=]{16,}+)*+"
)
"""A key's headers and lines; a line break may be written out as in JSON: its letter passes for one of the key's."""
_KEY_CHARS = 32_768


def private_keys(text: str) -> Iterator[Span]:
    """PEM, OpenSSH, SSH2, PuTTY and PGP private keys; one that was cut off ends with its last line of key material."""
    if "PRIVATE KEY" not in text and "Private-Lines: " not in text:
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
