"""What a title may be made of, and how a title is kept short."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from heedful.actionables import TITLE_LENGTH
from heedful.judgement.addressing import name_of
from heedful.judgement.cues import Cues
from heedful.judgement.detect import SentenceReading
from heedful.judgement.due import Due, is_one_of_several
from heedful.judgement.leads import Lead, ReadMessage
from heedful.reading import Span, fold_space, language

_PREFIX = re.compile(
    r"^\s*(?:(?:(?:re|fw|fwd|enc|res|aw|wg|rv)\s*:|\[[^\]]{1,40}\])\s*)+(?=\S)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a title may be made of: the leading sentence, who wrote, the subject, the whole text."""

    lead: SentenceReading
    name: str
    subject: str
    text: str
    book: Cues
    dates: tuple[Span, ...] = ()

    def words(self, key: str, **parts: str) -> str:
        """A template of the language's `[cues.titles]`, filled."""
        template = str(language(self.book.code).table("cues").get("titles", {}).get(key, "{rest}"))
        return template.format(**parts)

    def voice(self, key: str) -> Mapping[str, str]:
        """What a speaker's words become for the reader of the title: a table below the language's `[cues.titles]`."""
        table = language(self.book.code).table("cues").get("titles", {}).get(key, {})
        return {word: said for word, said in table.items() if self.name or "{name}" not in said}


def naming_of(read: ReadMessage, lead: Lead, due: Due | None) -> Naming:
    """What a title of this lead may be made of."""
    dates: tuple[Span, ...] = ()
    message = read.message
    if due is not None and due.span is not None and lead.span.start <= due.span.start < lead.span.end:
        date = Span(due.span.start - lead.span.start, due.span.end - lead.span.start)
        # The field for the date holds one; of several the title tells all.
        if not is_one_of_several(lead.span.of(message.text), date, message.sent_at, message.lang):
            dates = (date,)
    return Naming(lead.reading, name_of(message.author), message.subject, message.text, read.book, dates)


def plain_subject(subject: str) -> str:
    """A subject without reply marks and list tags."""
    return fold_space(_PREFIX.sub("", subject))


def shortened(text: str, limit: int = TITLE_LENGTH) -> str:
    """At most `limit` characters in whole words, with an ellipsis where something was left out."""
    text = fold_space(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    kept = cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut
    return kept.rstrip(" ,;:–—-(") + "…"
