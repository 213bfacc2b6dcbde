"""What a mail's envelope says about who wrote it to whom: a person, a list, a campaign, a machine."""

import re
from collections.abc import Iterable

from heedful.reading.names import normalise_address
from heedful.sources.items import Person
from heedful.sources.mail_headers import Headers

_CAMPAIGN = frozenset(
    {
        "x-bulkmail",
        "x-campaign",
        "x-campaign-id",
        "x-campaignid",
        "x-cm-message-id",
        "x-csa-complaints",
        "x-elq-campaign",
        "x-emarsys-identify",
        "x-hs-cid",
        "x-klaviyo-campaign",
        "x-mailchimp-campaign",
        "x-mailer-recptid",
        "x-mailingid",
        "x-mc-user",
        "x-newsletter",
        "x-report-abuse-to",
        "x-rpcampaign",
        "x-sfmc-stack",
        "x-virtual-mta",
    }
)
_AUTOMATIC = frozenset(
    {"x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients", "x-cron-env"}
)
_MACHINE_SENDER = re.compile(
    r"^(?:(?:do[-_.]?)?no[-_.]?t?[-_.]?reply|mailer-daemon|postmaster|bounces?|notifications?|notify|alerts?|"
    r"auto(?:mated|reply|-?confirm)?|daemon|root|cron|nao[-_.]?responda|nicht[-_.]?antworten|no[-_.]?responder)"
    r"(?:[-+_.=].*)?@|[-_.+](?:no[-_.]?reply|bounces?|notifications?)(?:[-+_.=].*)?@",
    re.IGNORECASE,
)
_ANGLE = re.compile(r"<([^<>]{1,200})>")


def list_id(headers: Headers) -> str:
    """The mailing list a mail came through, in lower case; empty when it came through none."""
    for name in ("list-id", "x-mailing-list", "mailing-list", "list-post"):
        value = headers.text(name)
        if value and value.upper() != "NO":
            found = _ANGLE.search(value)
            bare = found[1] if found else value.split(";")[0].removeprefix("list").split()[0:1]
            return ("".join(bare)).removeprefix("mailto:").strip().lower()[:200]
    return ""


def is_bulk(headers: Headers) -> bool:
    """True for newsletters and mass mail; a list on which people talk with each other is not."""
    precedence = headers.raw("precedence").lower()
    if precedence == "list" or _takes_posts(headers):
        return False
    if precedence in {"bulk", "junk"} or "list-unsubscribe" in headers:
        return True
    return any(name in _CAMPAIGN for name in headers.names())


def is_automatic(headers: Headers, author: Person, media: str) -> bool:
    """True when a machine wrote it: bounces, absence notices, no-reply senders, reports."""
    submitted = headers.raw("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return True
    if headers.raw("precedence").lower() in {"auto_reply", "auto-reply"} or media == "multipart/report":
        return True
    if any(name in _AUTOMATIC for name in headers.names()):
        return True
    if "return-path" in headers and headers.raw("return-path").replace(" ", "") == "<>":
        return True
    return is_machine_address(author.address)


def is_machine_address(address: str) -> bool:
    """True for an address that no person answers from, such as no-reply or mailer-daemon."""
    return _MACHINE_SENDER.search(address) is not None


def delivered_to(headers: Headers) -> str:
    """The address it was delivered to, as the person's own server noted it; empty when it noted none."""
    for name in ("delivered-to", "x-delivered-to", "envelope-to", "x-envelope-to", "x-original-to"):
        for value in headers.all_raw(name):
            address = normalise_address(value.split(",")[0])
            if address.count("@") == 1 and " " not in address:
                return address
    return ""


def participants(people: Iterable[Person]) -> str:
    """The same words for the same group of people, whoever of them writes."""
    return " ".join(sorted({person.address or person.name.casefold() for person in people}))


def _takes_posts(headers: Headers) -> bool:
    post = headers.raw("list-post")
    return "mailto:" in post.lower()
