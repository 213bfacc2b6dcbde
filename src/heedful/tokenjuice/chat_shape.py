"""Chats: the day once, the speaker once, the small change gone.

A message that only greets, thanks or agrees goes, unless it answers something: then it is the answer.
"""

import re

from heedful.tokenjuice.facts import has_fact
from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.looks import CHAT_LINE
from heedful.tokenjuice.shapes import Reading
from heedful.tokenjuice.signal import pinned_lines

_SPEAKER = re.compile(r"^(?P<who>[^\W\d_][\w .'’-]{0,30}): (?P<said>\S.*)$")
_STAMP = re.compile(
    r"(?P<day>\d{1,4}[./-]\d{1,2}[./-]\d{1,4})?,? ?(?:um )?(?P<time>\d{1,2}[:.]\d\d)(?:[:.]\d\d)?"
    r"(?P<half>[\s\u202f]?[AaPp]\.?[Mm]\.?)?$"
)
_NOTICE = re.compile(
    r"end-to-end encrypted|created (?:this )?group|joined using|(?:^|\S )(?:joined|left)$|changed (?:the"
    r"|this) (?:subject|group|icon)|added you|security code"
    r"|criptografia de ponta|criou (?:este |o )?grupo|Ende-zu-Ende|has (?:joined|left)|was (?:added|removed)",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"^[<\[(]?(?:media|image|video|audio|sticker|gif|bild|mídia|imagem|foto|documento?)\b.{0,30}(?:omitted"
    r"|weggelassen|ausgeschlossen|oculta|omitid[ao])[>\])]?$",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(
    [
        "hey",
        "hi",
        "hiya",
        "hello",
        "ok",
        "okay",
        "k",
        "kk",
        "thx",
        "thanks",
        "thank",
        "you",
        "ty",
        "lol",
        "haha",
        "hahaha",
        "wow",
        "yeah",
        "yay",
        "yep",
        "cool",
        "nice",
        "great",
        "awesome",
        "sure",
        "bye",
        "cya",
        "see",
        "ya",
        "good",
        "morning",
        "night",
        "evening",
        "day",
        "oi",
        "olá",
        "obrigado",
        "obrigada",
        "valeu",
        "kkk",
        "kkkk",
        "rs",
        "rsrs",
        "hallo",
        "danke",
        "moin",
        "tschüss",
        "gracias",
        "hola",
        "merci",
        "salut",
    ]
)
_SMALL_CHARS = 60
_NEIGHBOURS = 1
_CUE = re.compile(
    r"\b(?:please|can you|could you|would you|will you|need(?:s|ed)? to|must|deadline|remind|promise"
    r"|don't forget|i'll (?:send|call|bring|check|do|get|pick|pay|book)"
    r"|let me know|por favor|preciso|você pode|bitte|kannst du|ich muss|por favor)\b",
    re.IGNORECASE,
)
_BURST_MINUTES = 10


def reshape_chat(reading: Reading) -> str:
    """The conversation in its order, without what every line repeats."""
    whole = Draft.of(reading.text)
    pinned = pinned_lines(whole.lines, reading.pinned)
    bare = reading.ledger.enter("notices", whole, _without_notices(whole, pinned))
    shorter = reading.ledger.enter("small talk", bare, _without_small_talk(bare, pinned))
    if pinned:
        shorter = reading.ledger.enter("beside the point", shorter, _around(shorter, pinned))
    return reading.ledger.enter("stamps and names", shorter, _folded(shorter)).text()


def _parse(line: str) -> tuple[str, str, str] | None:
    """Stamp, speaker and words of a message's first line."""
    found = CHAT_LINE.match(line)
    if found:
        return (found["a"] or found["b"] or "").strip(), found["who"].strip(), found["said"]
    found = _SPEAKER.match(line)
    return ("", found["who"], found["said"]) if found else None


def _without_notices(draft: Draft, pinned: set[int]) -> Draft:
    kept = []
    for n, line in enumerate(draft.lines):
        parsed = _parse(line)
        said = parsed[2].strip("\u200e ") if parsed else line
        notice = (parsed is None and _stamped(line) and _NOTICE.search(line)) or (
            parsed and _MEDIA.match(said)
        )
        if draft.places[n] in pinned or not (notice or not line.strip()):
            kept.append(n)
    return draft if len(kept) == len(draft.lines) else draft.only(kept)


def _stamped(line: str) -> bool:
    return bool(re.match(r"^\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", line))


def _without_small_talk(draft: Draft, pinned: set[int]) -> Draft:
    kept = []
    asked = False
    for n, line in enumerate(draft.lines):
        parsed = _parse(line)
        said = parsed[2] if parsed else line
        small = parsed is not None and not asked and _is_small(said)
        if draft.places[n] in pinned or not small:
            kept.append(n)
            asked = said.rstrip().endswith("?") if parsed else asked
    return draft if len(kept) == len(draft.lines) else draft.only(kept)


def _around(draft: Draft, pinned: set[int]) -> Draft:
    """What was pinned with its neighbours, and of the rest what asks, promises or holds a fact.

    Only where something was pinned: then the caller knows what the conversation is wanted for.
    """
    marks = [n for n, place in enumerate(draft.places) if place in pinned]
    near = {n + step for n in marks for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1)}
    kept = [n for n, line in enumerate(draft.lines) if n in near or _tells(line)]
    return draft if len(kept) == len(draft.lines) else draft.only(kept)


def _tells(line: str) -> bool:
    parsed = _parse(line)
    return parsed is None or has_fact(parsed[2]) or _CUE.search(parsed[2]) is not None


def _is_small(said: str) -> bool:
    """Whether the words only greet, thank or agree; marks and pictures alone are no words."""
    if len(said) > _SMALL_CHARS or "?" in said or has_fact(said):
        return False
    return set(re.findall(r"\w+", said.lower())) <= _SMALL_WORDS


def _folded(draft: Draft) -> Draft:
    lines: list[str] = []
    places: list[int] = []
    day = who = ""
    minutes = -_BURST_MINUTES
    for line, place in zip(draft.lines, draft.places, strict=True):
        parsed = _parse(line)
        if parsed is None:
            lines.append(line)
            places.append(place)
            continue
        stamp, speaker, said = parsed
        found = _STAMP.search(stamp)
        if found and found["day"] and found["day"] != day:
            day, who, minutes = found["day"], "", -_BURST_MINUTES
            lines.append(f"— {day}")
            places.append(WRITTEN)
        now = _minutes(found["time"]) if found else minutes
        told = (
            f"{found['time']}{found['half'] or ''} " if found and abs(now - minutes) >= _BURST_MINUTES else ""
        )
        name = f"{speaker}: " if speaker != who or told else ""
        lines.append(f"{told}{name}{said}" if found or not stamp else line)
        places.append(place)
        who = speaker
        minutes = now if told or not found else minutes
    return Draft(lines, places)


def _minutes(time: str) -> int:
    hours, minutes = re.split(r"[:.]", time)[:2]
    return int(hours) * 60 + int(minutes)
