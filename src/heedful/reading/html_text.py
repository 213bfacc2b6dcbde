"""HTML mail as plain text a person would read.

Links, lists, table rows and quotes keep their shape; what a mail program would not show (scripts, preheaders,
tracking pixels) is left out. Nothing is fetched.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

from heedful.reading.folding import fold_space

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_UNSEEN = "head, title, script, style, noscript, template, object, iframe, svg, [hidden]"
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)"
    r"|(?:font-size|max-height)\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$|!)",
    re.IGNORECASE,
)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200e\u200f\u2060\ufeff\u00ad\u034f"))
_PARAGRAPHS = frozenset([
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "article", "section",
    "form", "fieldset",
])  # fmt: skip
_LINES = frozenset([
    "div", "tr", "li", "dt", "dd", "header", "footer", "main", "aside", "nav", "address", "center", "figure",
    "figcaption", "caption", "body",
])  # fmt: skip
_URL_CHARS = 120
_NESTING = re.compile(
    r"<(/?)(?!(?:p|li|td|tr|th|br|hr|img|meta|link|input|o:p|dt|dd|col|wbr|area)\b)[a-z]", re.IGNORECASE
)
_CODE = re.compile(r"<(script|style|head)\b[^<]*+(?:<(?!/\1)[^<]*+)*+", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>?")
_ELEMENT_DEPTH = 600
_DEPTH = 12
_CELL_CHARS = 80
_READ_CHARS = 2_000_000
_WEB = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://(?:www\.)?|mailto:|tel:|www\.)|/$", re.IGNORECASE)


def html_to_text(html: str) -> str:
    """The readable text, quotes as `> ` lines; never raises, whatever the markup."""
    from selectolax.lexbor import LexborHTMLParser

    html = html[:_READ_CHARS].replace("\0", "")
    if is_too_deep(html):
        return _stripped(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    for unseen in tree.css(_UNSEEN):
        unseen.decompose()
    for styled in tree.css("[style]"):
        if _HIDING.search(styled.attributes.get("style") or ""):
            styled.decompose()
    page = _Page()
    if tree.body is not None:
        _walk(tree.body, page)
    return page.text()


def is_too_deep(html: str) -> bool:
    """Whether elements stand in one another so deep that no person wrote it; the parser is quadratic in depth."""
    depth = deepest = 0
    for slash in _NESTING.findall(html):
        depth = max(0, depth - 1) if slash else depth + 1
        deepest = max(deepest, depth)
    return deepest > _ELEMENT_DEPTH


def _stripped(html: str) -> str:
    """The text between tags, for markup that is not worth parsing."""
    text = unescape(_TAG.sub(" ", _CODE.sub(" ", html)))
    return "\n".join(line for line in map(fold_space, text.split("\n")) if line)


@dataclass(slots=True)
class _Page:
    """The lines written so far, and what the next word must put before itself."""

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    gap: int = 0
    held: int | None = None
    space: bool = False
    cell: bool = False
    cell_start: int = -1
    depth: int = 0
    depth_above: int = 0
    bullet: str = ""
    preformatted: int = 0
    lists: list[int] = field(default_factory=list)
    links: list[tuple[str, int, int]] = field(default_factory=list)

    def write(self, text: str) -> None:
        """Adds text; white space at its ends and inside is one space."""
        words = " ".join(text.split())
        if not words:
            self.space = self.space or bool(text)
            return
        if self.held is not None and not self.cell:
            self.end_line(gap=self.held)
        if self.cell and self.line:
            words = "| " + words
            self.space = True
        if self.bullet:
            words, self.bullet = self.bullet + words, ""
        if self.line and (self.space or text[0].isspace()):
            self.line.append(" ")
        self.line.append(words)
        self.space, self.cell, self.held = text[-1].isspace(), False, None

    def start_cell(self) -> None:
        """A table cell: what is written next stands beside the cell before it."""
        self.cell, self.held = bool(self.line), None
        self.cell_start = len(self.lines)

    def end_block(self, *, gap: int) -> None:
        """Ends the line, but for the only short line of a table cell, which waits for the next cell."""
        if self.line and self.cell_start == len(self.lines) and sum(map(len, self.line)) <= _CELL_CHARS:
            self.held = gap
        else:
            self.end_line(gap=gap)

    def end_line(self, *, gap: int = 0) -> None:
        """Ends the line if anything stands on it; `gap` blank lines separate it from what comes next."""
        written = "".join(self.line).rstrip()
        self.line = []
        if written:
            self._put(written)
        self.space = self.cell = False
        self.held = None
        self.gap = max(self.gap, gap)

    def line_break(self) -> None:
        """A `<br>`: an empty line when nothing stands on the line."""
        if any(map(str.strip, self.line)):
            self.end_line()
        else:
            self.line = []
            self.gap = 1

    def write_verbatim(self, text: str) -> None:
        """Adds preformatted text, line by line."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.line_break()
            if line:
                self.line.append(line)

    def _put(self, line: str) -> None:
        depth = min(self.depth, _DEPTH)
        if self.gap and self.lines:
            self.lines.append(("> " * min(depth, self.depth_above)).rstrip())
        self.gap, self.depth_above = 0, depth
        self.lines.append("> " * depth + line)

    def text(self) -> str:
        """Everything written."""
        self.end_line()
        return "\n".join(self.lines)


def _walk(body: "LexborNode", page: _Page) -> None:
    """Visits the tree without recursion: mail may be nested a hundred thousand deep."""
    stack: list[tuple[LexborNode | None, str]] = [(body.child, "")]
    while stack:
        node, closing = stack.pop()
        if node is None:
            _leave(closing, page)
            continue
        stack.append((node.next, closing))
        tag = node.tag or ""
        if tag == "-text":
            text = (node.text_content or "").translate(_INVISIBLE)
            if page.preformatted:
                page.write_verbatim(text)
            else:
                page.write(text)
        elif tag[:1] not in ("-", "!", "_"):
            _enter(node, tag, page)
            if node.child is not None:
                stack.append((node.child, tag))
            else:
                _leave(tag, page)


def _enter(node: "LexborNode", tag: str, page: _Page) -> None:
    if tag in _PARAGRAPHS or tag in _LINES:
        _start_block(tag, page)
        _open_block(tag, page)
    elif tag in ("td", "th"):
        page.start_cell()
    elif tag == "br":
        page.line_break()
    elif tag == "hr":
        page.end_line()
        page.write("-----")
        page.end_line()
    elif tag == "a":
        page.links.append((node.attributes.get("href") or "", len(page.lines), len(page.line)))
    elif tag == "img":
        page.write(_alternative(node, in_link=bool(page.links)))


def _start_block(tag: str, page: _Page) -> None:
    if page.cell and tag in ("p", "div"):
        return
    tight = tag in _LINES or (bool(page.lists) and tag in ("ul", "ol", "p"))
    page.end_line(gap=0 if tight else 1)
    if tag in ("table", "tr"):
        page.cell_start = -1


def _open_block(tag: str, page: _Page) -> None:
    if tag == "blockquote":
        page.depth += 1
    elif tag == "pre":
        page.preformatted += 1
    elif tag in ("ul", "ol"):
        page.lists.append(0 if tag == "ol" else -1)
    elif tag == "li":
        page.bullet = _bullet(page)


def _leave(tag: str, page: _Page) -> None:
    if tag in ("p", "div"):
        page.end_block(gap=int(tag == "p" and not page.lists))
    elif tag in _PARAGRAPHS:
        page.end_line(gap=0 if len(page.lists) > 1 and tag in ("ul", "ol") else 1)
        if tag == "blockquote":
            page.depth -= 1
        elif tag == "pre":
            page.preformatted -= 1
        elif tag in ("ul", "ol"):
            page.lists.pop()
    elif tag in _LINES:
        page.end_line()
        page.bullet = ""
    elif tag == "a" and page.links:
        _close_link(page)


def _close_link(page: _Page) -> None:
    """Adds the address of a link whose text does not show it."""
    href, lines, pieces = page.links.pop()
    shown = "".join(page.line[pieces:]) if len(page.lines) == lines else "".join(page.line)
    bare = _SCHEME.sub("", _SCHEME.sub("", href.strip()))
    if not shown.strip() or not _WEB.match(href.strip()) or not bare:
        return
    if (
        bare.casefold() in shown.casefold()
        or _SCHEME.sub("", shown.strip("|• ")).casefold() == bare.casefold()
    ):
        return
    page.line.append(f" ({_short(re.sub('^mailto:', '', href.strip(), flags=re.IGNORECASE))})")


def _short(href: str) -> str:
    """An address without the tracking behind it when it is too long to read."""
    href = "".join(href.split())
    if len(href) <= _URL_CHARS:
        return href
    bare = re.split(r"[?#]", href, maxsplit=1)[0]
    return bare if len(bare) <= _URL_CHARS else bare[: _URL_CHARS - 1] + "…"


def _bullet(page: _Page) -> str:
    indent = "  " * max(0, min(len(page.lists), _DEPTH) - 1)
    if not page.lists or page.lists[-1] < 0:
        return f"{indent}- "
    page.lists[-1] += 1
    return f"{indent}{page.lists[-1]}. "


def _alternative(node: "LexborNode", *, in_link: bool) -> str:
    """What an image says: an emoji anywhere, a caption only where it is what one clicks."""
    said = (node.attributes.get("alt") or "").strip()
    pixel = node.attributes.get("width") in ("0", "1") or node.attributes.get("height") in ("0", "1")
    return said if said and not pixel and (in_link or len(said) <= 3) else ""
