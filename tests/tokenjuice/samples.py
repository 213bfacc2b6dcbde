"""Texts to compress, made by rule, with nothing of a real person in them."""

import json

INVITED = """BEGIN:VCALENDAR
METHOD:REQUEST
PRODID:-//Example//EN
BEGIN:VTIMEZONE
TZID:Europe/Lisbon
BEGIN:STANDARD
DTSTART:19701025T020000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:review-7@calendar.example
SUMMARY:Budget review
DTSTART;TZID=Europe/Lisbon:20261203T150000
DTEND;TZID=Europe/Lisbon:20261203T160000
LOCATION:Room 4
ORGANIZER;CN=Ana Prado:mailto:ana@firm.example
ATTENDEE;CN=Rui Vale;PARTSTAT=NEEDS-ACTION:mailto:rui@firm.example
DESCRIPTION:Bring the figures for May.\\nCall: https://meet.example/abc
BEGIN:VALARM
TRIGGER:-PT15M
END:VALARM
END:VEVENT
END:VCALENDAR
"""

THREAD = """From: Ana Prado <ana@firm.example>
To: Rui Vale <rui@firm.example>
Date: Tue, 01 Dec 2026 09:00:00 +0000
Subject: Contract with Norte
Message-ID: <1@firm.example>
X-Mailer: something that nobody reads
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Could you send me the signed contract by Friday, 4 December? The amount is 12,400.00 EUR.

--
Ana Prado
Head of Purchasing

"""


def log_lines(count: int) -> list[str]:
    """Lines a healthy service prints."""
    return [
        f"2026-06-01T10:{n // 60 % 60:02d}:{n % 60:02d} INFO worker[{n % 8}] handled item {n} in {20 + n % 60} ms"
        for n in range(count)
    ]


def log_with(line: str, *, count: int = 600, at: int = 300) -> str:
    """A healthy log with one other line in its middle."""
    lines = log_lines(count)
    lines.insert(at, line)
    return "\n".join(lines)


def rows(count: int) -> str:
    """A JSON list of like objects, one of them in another state."""
    found = [{"id": n, "name": f"user{n}", "state": "ok", "ms": 30 + n % 40} for n in range(count)]
    found[count // 2]["state"] = "stuck"
    return json.dumps(found, indent=2)
