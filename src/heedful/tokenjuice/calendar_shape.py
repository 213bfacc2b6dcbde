"""A calendar invitation as the few lines a person would read out."""

import re

from heedful.tokenjuice.shapes import Reading, rewritten

_KEPT = {
    "METHOD": "Method",
    "SUMMARY": "Summary",
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "RDATE": "Also on",
    "EXDATE": "Except",
    "RECURRENCE-ID": "Occurrence",
    "LOCATION": "Where",
    "ORGANIZER": "Organiser",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "DESCRIPTION": "Notes",
    "COMMENT": "Comment",
    "URL": "Link",
    "X-GOOGLE-CONFERENCE": "Call",
    "UID": "Id",
}
_LINE = re.compile(r"(?P<name>[A-Z][A-Z0-9-]*)(?P<parameters>(?:;(?:[^:;\"]|\"[^\"]*\")*)*):(?P<value>.*)")
_PARAMETER = re.compile(r';(TZID|CN|PARTSTAT)=("[^"]*"|[^;:]*)')
_ESCAPED = re.compile(r"\\([nN,;\\])")


def reshape_invitation(reading: Reading) -> str:
    """Summary, times, place, people, notes and link of each event; what only programs need is left out."""
    unfolded = re.sub(r"\r?\n[ \t]", "", reading.text)
    lines: list[str] = []
    nested: list[str] = []
    for line in unfolded.splitlines():
        if line.startswith("BEGIN:"):
            nested.append(line[6:])
            if line[6:] in {"VEVENT", "VTODO", "VJOURNAL"}:
                lines.append(f"— {line[7:].lower()} —")
        elif line.startswith("END:"):
            if nested:
                nested.pop()
        elif not {"VTIMEZONE", "VALARM"} & set(nested):
            told = _told(line) if nested else line
            if told:
                lines.append(told)
    return rewritten(reading, "calendar fields", reading.text, "\n".join(lines))


def _told(line: str) -> str:
    found = _LINE.match(line)
    if found is None or found["name"] not in _KEPT:
        return ""
    extra = {name: value.strip('"') for name, value in _PARAMETER.findall(found["parameters"])}
    value = _ESCAPED.sub(lambda m: "\n" if m[1] in "nN" else m[1], found["value"])
    value = re.sub(r"^mailto:", "", value, flags=re.IGNORECASE)
    value = f"{extra['CN']} <{value}>" if "CN" in extra and extra["CN"] != value else value
    state = f" ({extra['PARTSTAT'].lower()})" if "PARTSTAT" in extra else ""
    zone = f" {extra['TZID']}" if "TZID" in extra else ""
    return f"{_KEPT[found['name']]}: {value}{zone}{state}"
