"""The text of a mail without what every mail carries: quotes already read, disclaimers, footers, decoration.

Quotes are compared with what stands earlier in the same text. What was quoted from elsewhere stays where it
holds a fact, a question, or the words a reply answers to; so nothing that could matter is only in the cut.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from heedful.tokenjuice.facts import NAME, has_fact, told_facts
from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.links import clean_url, is_tracker
from heedful.tokenjuice.shapes import Reading
from heedful.tokenjuice.signal import pinned_lines

_QUOTE = re.compile(r"^\s{0,3}((?:[>|»] ?)+)(.*)$")
_ATTRIBUTION = re.compile(
    r"^(?:>+ ?)?(?:(?:On|Am|Le|Em|El|Op|Il|Den)\b.{6,200}(?:wrote|schrieb|écrit|escreveu|escribió|schreef"
    r"|scritto|skrev).{0,40}:?"
    r"|.{3,120} (?:wrote|writes|said|schrieb|escreveu)( on .{4,40})?:|-{2,} ?(?:Original Message"
    r"|Forwarded message|Mensagem original).{0,4}-{2,})\s*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_SHINGLE_WORDS = 4
_SHORT_QUOTE = 6
_SENTENCE_END = re.compile(r"\s>\s+|(?<=[.!?])\s+")
_POINTER_WORDS = 10
_CUE = re.compile(
    r"\?|\b(?:please|could you|can you|would you|need|must|should|will|shall|let's|propose|suggest"
    r"|deadline|meeting|por favor|bitte)\b",
    re.IGNORECASE,
)
_DISCLAIMER = re.compile(
    r"\b(?:confidential|privileged|confidenciais|confidencial|vertraulich"
    r"|confidentiel)\w*\b.{0,600}\b(?:intended|recipient|addressee|disclos|destinat|bestimmt|empfänger)"
    r"|\bintended (?:only|solely) for\b|\bif you (?:have received|are not the intended)\b"
    r"|\bbefore printing this\b"
    r"|\bthink (?:about|of) the environment\b|\bviruses?\b.{0,200}\b(?:liabilit|scann|checked)",
    re.IGNORECASE | re.DOTALL,
)
_FOOTER = re.compile(
    r"unsubscribe|opt[- ]?out|view (?:this )?(?:e-?mail|it|message)?.{0,12}(?:in|on) (?:your |a "
    r"|the )?(?:web )?browser|view online|manage (?:your )?(?:e-?mail )?(?:preferences|subscription)"
    r"|update (?:your )?(?:e-?mail )?preferences|email preferences|you(?:'re| are) receiving this"
    r"|you received this (?:e-?mail|message) because|add us to your address book"
    r"|privacy (?:policy|notice|statement)|terms (?:of (?:use|service)|and conditions)|all rights reserved"
    r"|^\W*(?:©|\(c\)|copyright)\s|sent from my \w+|get outlook for"
    r"|follow us|^(?:facebook|twitter|linkedin|instagram|youtube|pinterest)(?:\W{1,5}(?:facebook|twitter"
    r"|linkedin|instagram|youtube|pinterest|x)){0,8}\W*$|forward to a friend|cancelar (?:a )?inscri"
    r"|descadastr|abmelden|newsletter abbestellen"
    r"|se désabonner|darse de baja|please do not reply to this|this is an automated (?:e-?mail|message)"
    r"|no longer wish to receive|having trouble viewing",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"^[\s\-_=*~#.+|·•—]{3,}$")
_URL = re.compile(r"https?://[^\s<>\"')\]]+")
_SIGNATURE = re.compile(r"^-- ?$")
_SIGNATURE_LINES = 14
_TAIL_LINES = 14
_FOOTER_WORDS = 14
_FOOTER_CHARS = 300
_REPEAT_WORDS = 9
_REPEAT_CHARS = 50
_NOTICE_CHARS = 320
_PIECE = re.compile(r"(\s>+\s+|(?<=[.!?])\s+)")
_NOTICE = re.compile(
    r"\bconfidential\b|\bprivileged\b|\bintended (?:only|solely)\b|\bintended recipient\b|\bdisclos"
    r"|\bdelete (?:it|this|the)\b|\bnotify the sender\b"
    r"|\bunauthori[sz]ed\b|\bbefore printing\b|\bthe environment\b|\bvirus(?:es)?\b"
    r"|\breceived this (?:e-?mail|message) in error\b|\bconfidencia|\bdestinatári"
    r"|\bvertraulich|\birrtümlich|\bconfidentiel|\bdestinataire",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Seen:
    """What earlier messages of the same text said: runs of words, and whole lines."""

    shingles: set[tuple[str, ...]] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)

    def remember(self, line: str) -> None:
        """Adds a line that stays."""
        words = _words(line)
        self.lines.add(" ".join(words))
        for size in range(1, _SHINGLE_WORDS + 1):
            self.shingles.update(zip(*(words[n:] for n in range(size)), strict=False))

    def said(self, line: str) -> bool:
        """Whether every run of words of the line was read before; a line without words counts as read."""
        words = _words(line)
        size = min(_SHINGLE_WORDS, len(words))
        return size == 0 or all(
            run in self.shingles for run in zip(*(words[n:] for n in range(size)), strict=False)
        )


def tidy_mail(text: str, reading: Reading, seen: Seen | None = None) -> str:
    """The text without its ballast; `seen` is what came before it and learns what stays."""
    learns = seen is not None
    seen = seen or Seen()
    draft = _clean_links(Draft.of(text), reading)
    pinned = pinned_lines(draft.lines, reading.pinned)
    steps = (
        ("quotes", _without_quotes),
        ("repeats", _without_repeats),
        ("signature", _without_signature),
        ("boilerplate", _without_boilerplate),
    )
    for name, step in steps:
        draft = reading.ledger.enter(name, draft, step(draft, seen, pinned))
    draft = reading.ledger.enter("empty lines", draft, _without_gaps(draft))
    for line in draft.lines if learns else ():
        seen.remember(line)
    return draft.text()


def _words(line: str) -> list[str]:
    return _WORD.findall(line.lower())


def _clean_links(draft: Draft, reading: Reading) -> Draft:
    if "http" not in draft.text():
        return draft

    def shorter(found: re.Match[str]) -> str:
        return "(link)" if is_tracker(found[0]) else clean_url(found[0])

    lines = [_URL.sub(shorter, line) if "http" in line else line for line in draft.lines]
    return reading.ledger.enter("tracking links", draft, Draft(lines, draft.places))


def _without_quotes(draft: Draft, seen: Seen, pinned: set[int]) -> Draft:
    lines: list[str] = []
    places: list[int] = []
    alone = not any(
        line.strip() and not (_QUOTE.match(line) or _ATTRIBUTION.match(line)) for line in draft.lines
    )
    for quoted, block in _blocks(draft):
        if not quoted:
            lines += [draft.lines[n] for n in block]
            places += [draft.places[n] for n in block]
            continue
        answered = any(draft.lines[n].strip() for n in range(block[-1] + 1, len(draft.lines)))
        kept = _fresh_of_quote(draft, block, seen, pinned)
        if not alone and 2 * len(kept) >= len(block):
            kept = _thinned(kept, pinned, answered=answered)
        lines += [line for line, _ in kept]
        places += [place for _, place in kept]
        if kept:
            continue
        if lines and _ATTRIBUTION.match(lines[-1]):
            lines.pop()
            places.pop()
        pointer = _pointer(draft, block) if answered else ""
        if pointer:
            lines.append(pointer)
            places.append(WRITTEN)
    return Draft(lines, places)


def _blocks(draft: Draft) -> Iterator[tuple[bool, list[int]]]:
    """Runs of quoted and of own lines; an empty line inside a quote belongs to it."""
    block: list[int] = []
    state = False
    for n, line in enumerate(draft.lines):
        quoted = bool(_QUOTE.match(line))
        if block and quoted != state and (quoted or line.strip()):
            yield state, block
            block = []
        if not block:
            state = quoted
        block.append(n)
    if block:
        yield state, block


def _fresh_of_quote(draft: Draft, block: list[int], seen: Seen, pinned: set[int]) -> list[tuple[str, int]]:
    """The lines of a quote that were not read before, without the sentences of them that were."""
    fresh = []
    for n in block:
        line, place = draft.lines[n], draft.places[n]
        part = line if place in pinned else _fresh_part(line, seen)
        if part:
            fresh.append((part, place))
    return fresh


def _thinned(quote: list[tuple[str, int]], pinned: set[int], *, answered: bool) -> list[tuple[str, int]]:
    """Of a long quote of something unseen: both ends and what tells something.

    Not asked of a text that is nothing but a quote: there the quote is the message.
    """
    if len(quote) <= _SHORT_QUOTE:
        return quote
    near = {place for _, place in (quote[:2] + quote[-3:] if answered else quote[:2])}
    return [(line, place) for line, place in quote if place in near or place in pinned or _tells(line)]


def _fresh_part(line: str, seen: Seen) -> str:
    if seen.said(line):
        return ""
    parts = [part for part in _SENTENCE_END.split(line) if part and not seen.said(part)]
    fresh = " ".join(part.strip() for part in parts)
    return fresh if fresh.startswith(">") or not fresh else f"> {fresh}"


def _tells(line: str) -> bool:
    return has_fact(line) or _CUE.search(line) is not None or NAME.search(line) is not None


def _unquoted(line: str) -> str:
    return line.lstrip(" >|»")


def _pointer(draft: Draft, block: list[int]) -> str:
    """The last words of a quote a reply follows, so that it is clear what is answered."""
    last = next((draft.lines[n] for n in reversed(block) if _words(draft.lines[n])), "")
    words = _unquoted(last).split()
    if not words:
        return ""
    return f"> {'…' if len(words) > _POINTER_WORDS else ''}{' '.join(words[-_POINTER_WORDS:])}"


def _without_signature(draft: Draft, seen: Seen, pinned: set[int]) -> Draft:
    """Without the lines below the signature mark that hold no fact, and closing lines seen before."""
    start = next(
        (n for n in range(len(draft.lines) - 1, -1, -1) if _SIGNATURE.match(draft.lines[n])), len(draft.lines)
    )
    if len(draft.lines) - start > _SIGNATURE_LINES:
        start = len(draft.lines)
    tail = max(0, len(draft.lines) - _TAIL_LINES)
    kept = []
    for n, line in enumerate(draft.lines):
        words = _words(line)
        known = n >= tail and len(words) > 1 and " ".join(words) in seen.lines
        ballast = n >= start and not (has_fact(line) or NAME.search(line) or n == start + 1)
        if draft.places[n] in pinned or not (known or ballast):
            kept.append(n)
    return draft if len(kept) == len(draft.lines) else draft.only(kept)


def _without_repeats(draft: Draft, seen: Seen, pinned: set[int]) -> Draft:
    """Without long sentences an earlier message said word for word, and quotes in the middle of a line."""
    if not seen.lines:
        return draft
    lines, places = [], []
    for line, place in zip(draft.lines, draft.places, strict=True):
        fresh = line if place in pinned or line.startswith(">") else _own_part(line, seen)
        if fresh.strip() or not line.strip():
            lines.append(fresh)
            places.append(place)
    return Draft(lines, places)


def _own_part(line: str, seen: Seen) -> str:
    if len(line) < _REPEAT_CHARS:
        return line
    pieces = _PIECE.split(line)
    kept = pieces[0] if not (_is_repeat(pieces[0], seen)) else ""
    for mark, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if not (_is_repeat(piece, seen) or (">" in mark and seen.said(piece))):
            kept += mark + piece
    return kept.strip() if kept != line else line


def _is_repeat(sentence: str, seen: Seen) -> bool:
    return len(_words(sentence)) >= _REPEAT_WORDS and seen.said(sentence)


def _without_boilerplate(draft: Draft, _seen: Seen, pinned: set[int]) -> Draft:
    """Without footers, notices and ornaments; what facts they held stand in one line at the end."""
    lines: list[str] = []
    places: list[int] = []
    gone: list[str] = []
    for paragraph in _paragraphs(draft):
        legal = _DISCLAIMER.search(" ".join(draft.lines[n] for n in paragraph)) is not None
        notice = legal and len(paragraph) > 1 and _is_notice([draft.lines[n] for n in paragraph])
        for n in paragraph:
            line, place = draft.lines[n], draft.places[n]
            if place not in pinned and line.strip():
                if notice or _DECORATION.match(line) or _is_footer(line):
                    gone.append(line)
                    continue
                line = _without_notice(line) if legal else line
            if line or not draft.lines[n]:
                lines.append(line)
                places.append(place)
    facts = _facts_only_in(gone, lines)
    return Draft([*lines, f"({'; '.join(facts)})"], [*places, WRITTEN]) if facts else Draft(lines, places)


def _facts_only_in(gone: list[str], kept: list[str]) -> list[str]:
    """Addresses, dates, amounts and names of the lines that went, where no line that stays has them."""
    facts = list(dict.fromkeys(fact for line in gone for fact in told_facts(line)))
    if not facts:
        return []
    stays = "\n".join(kept)
    return [fact for fact in facts if fact not in stays]


def _is_notice(lines: list[str]) -> bool:
    """Whether the paragraph as a whole is a legal notice: most of its sentences speak of nothing else."""
    sentences = _SENTENCE_END.split(" ".join(lines))
    return sum(1 for sentence in sentences if _says_notice(sentence)) * 2 >= len(sentences)


def _without_notice(line: str) -> str:
    """The line without the sentences of a legal notice."""
    pieces = _PIECE.split(line)
    kept = "" if _says_notice(pieces[0]) else pieces[0]
    for mark, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if not _says_notice(piece):
            kept += mark + piece
    return kept.strip()


def _says_notice(sentence: str) -> bool:
    """Whether a sentence belongs to a legal notice; a very long one may have begun as something else."""
    return len(sentence) < _NOTICE_CHARS and _NOTICE.search(sentence) is not None


def _is_footer(line: str) -> bool:
    """Whether the line is of the kind below a newsletter; talk about such things is longer or asks something."""
    if len(line) > _FOOTER_CHARS or line.startswith(">") or "?" in line.rstrip("? "):
        return False
    if len(line.split()) > _FOOTER_WORDS and not ("<" in line or "http" in line):
        return False
    return _FOOTER.search(line) is not None


def _paragraphs(draft: Draft) -> Iterator[list[int]]:
    paragraph: list[int] = []
    for n, line in enumerate(draft.lines):
        if not line.strip() and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(n)
    if paragraph:
        yield paragraph


def _without_gaps(draft: Draft) -> Draft:
    """Without empty lines but one between paragraphs, and without blanks at the ends of lines."""
    lines = [line.rstrip() for line in draft.lines]
    last = max((n for n, line in enumerate(lines) if line), default=-1)
    kept = [n for n, line in enumerate(lines) if line or (n and lines[n - 1] and n < last)]
    return Draft([lines[n] for n in kept], [draft.places[n] for n in kept])
