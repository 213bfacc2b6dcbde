"""A mail's MIME tree, taken apart within bounds: no depth, number or size of parts makes it slow or large.

The library's own parser walks a mail line by line and asks every open boundary about each line, so a mail of a
thousand nested parts takes minutes. Here a body is split at its boundary in one search and only headers go to
the library.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from heedful.sources.charsets import decode
from heedful.sources.mail_headers import Headers, decode_base64, decode_words, split_headers

MAX_DEPTH = 12
MAX_PARTS = 500
MAX_DECODED_BYTES = 4 * 1024 * 1024

_CHARSET_LIKE = re.compile(r"charset\s*=\s*\"?'?([\w.:-]{1,60})", re.IGNORECASE)
_BOUNDARY_LIKE = re.compile(r"boundary\s*=\s*(?:\"([^\"]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE)
_LINE_END = re.compile(rb"(--)?[ \t]*(?:\r?\n|\r|\Z)")
_CID_ONLY = frozenset({"image", "audio", "video", "font", "model"})


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One part: its headers, its media type (`text/html`), and its body still encoded for transport."""

    headers: Headers
    media: str
    body: bytes
    depth: int

    @property
    def maintype(self) -> str:
        return self.media.partition("/")[0]

    def file_name(self) -> str:
        """What the sender called it; empty when it has no name."""
        name = self.headers.parameter("content-disposition", "filename") or self.parameter("name")
        return decode_words(name).replace("\\", "/").rpartition("/")[2][:200]

    def parameter(self, name: str) -> str:
        """A parameter of the content type; empty when it is missing or damaged."""
        return self.headers.parameter("content-type", name)

    def is_attachment(self) -> bool:
        """True when it came as a file to keep apart, not as text to read."""
        disposition = self.headers.raw("content-disposition").partition(";")[0].strip().lower()
        return disposition == "attachment" or self.maintype in _CID_ONLY

    def content(self) -> bytes:
        """The body, decoded from its transfer encoding as far as that is possible, in its first 4 MiB."""
        encoding = self.headers.raw("content-transfer-encoding").strip().lower().strip("\"'")
        body = self.body[: MAX_DECODED_BYTES * 2]
        if encoding == "base64":
            body = decode_base64(body)
        elif encoding in {"quoted-printable", "quoted printable", "quotedprintable"}:
            body = binascii.a2b_qp(body)
        return body[:MAX_DECODED_BYTES]

    def text(self) -> str:
        """The content as text, in its declared charset where that works, with plain line ends."""
        charset = self.parameter("charset")
        if not charset and (found := _CHARSET_LIKE.search(self.headers.raw("content-type"))):
            charset = found[1]
        text = decode(self.content(), charset)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def children(self) -> tuple["Part", ...]:
        """The parts of a multipart, or the mail inside a message/rfc822; empty for anything else."""
        if self.depth >= MAX_DEPTH:
            return ()
        if self.maintype == "multipart":
            default = "message/rfc822" if self.media == "multipart/digest" else "text/plain"
            return tuple(
                part_of(piece, depth=self.depth + 1, default=default)
                for piece in _pieces(self.body, self._boundary())
            )
        if self.media in {"message/rfc822", "message/global"}:
            inner = self.content() if "content-transfer-encoding" in self.headers else self.body
            return (part_of(inner.lstrip(b"\r\n"), depth=self.depth + 1),)
        return ()

    def _boundary(self) -> bytes:
        boundary = self.parameter("boundary")
        if not boundary and (found := _BOUNDARY_LIKE.search(self.headers.raw("content-type"))):
            boundary = found[1] or found[2]
        return boundary.rstrip().encode("utf-8", "surrogateescape")


def part_of(raw: bytes, *, depth: int = 0, default: str = "text/plain") -> Part:
    """A mail or one of its parts, as yet only its headers read."""
    block, start = split_headers(raw)
    headers = Headers(block)
    return Part(headers, _media(headers, default), raw[start:], depth)


def _media(headers: Headers, default: str) -> str:
    media = headers.raw("content-type").partition(";")[0].strip().strip("\"'").lower()
    if media.count("/") == 1 and " " not in media and not media.startswith("/") and not media.endswith("/"):
        return media
    return {"text": "text/plain", "html": "text/html", "multipart": "multipart/mixed"}.get(media, default)


def _pieces(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """What stands between the boundary lines, at most `MAX_PARTS`; an unclosed last piece counts."""
    if not boundary:
        return
    start: int | None = None
    for count, (first, end, is_closing) in enumerate(_boundary_lines(body, b"--" + boundary)):
        if start is not None:
            yield body[start:first].removesuffix(b"\n").removesuffix(b"\r")
        start = end
        if is_closing or count >= MAX_PARTS:
            return
    if start is not None:
        yield body[start:]


def _boundary_lines(body: bytes, marker: bytes) -> Iterator[tuple[int, int, bool]]:
    """Where each boundary line begins, where the next line begins, and whether it closes the multipart."""
    position = body.find(marker)
    while position >= 0:
        after = position + len(marker)
        line_end = _LINE_END.match(body, after)
        if line_end and (position == 0 or body[position - 1] in b"\r\n"):
            yield position, line_end.end(), line_end[1] is not None
        position = body.find(marker, after)
