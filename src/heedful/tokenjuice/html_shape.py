"""HTML as the text a person would read, with the links that lead somewhere.

Scripts, styles, hidden parts, spacer images and tracking are gone; a link's address stands once, behind its
text, without the parameters that only follow the reader around.
"""

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from heedful.reading import html_to_text, is_too_deep
from heedful.tokenjuice.ledger import Step
from heedful.tokenjuice.links import clean_url, is_tracker
from heedful.tokenjuice.mail_text import tidy_mail
from heedful.tokenjuice.shapes import Reading, rewritten

_SILENT = frozenset({"script", "style", "head", "noscript", "template", "svg", "meta", "link", "iframe"})
_BLOCKS = frozenset(
    {
        "p", "div", "table", "tr", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section",
        "article", "header", "footer",
        "pre", "form", "hr", "address", "center", "dl", "dt", "dd", "main", "nav", "figure",
        "tbody", "body",
    }
)  # fmt: skip
_SPACED = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "table"})
_HIDDEN = ("display:none", "visibility:hidden", "mso-hide:all", "font-size:0", "max-height:0", "opacity:0")
_INVISIBLE = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad\u2060\u034f\u200e\u200f", "")) | {
    0xA0: " "
}


def reshape_html(reading: Reading) -> str:
    """The text of the markup, then tidied as any mail is."""
    writer = _Writer()
    text = writer.text_of(reading.text)
    rewritten(reading, "markup", reading.text, text)
    if writer.trackers:
        reading.ledger.steps.append(Step("tracking links", 0, 0, 0, tuple(writer.trackers[:5])))
    return tidy_mail(text, reading)


def markup_text(markup: str) -> str:
    """The text of the markup, not tidied."""
    return _Writer().text_of(markup)


class _Writer:
    """Walks a document once and writes its text; knows which addresses it has written already."""

    def __init__(self) -> None:
        self.trackers: list[str] = []
        self._lines: list[str] = []
        self._open: list[str] = []
        self._told: set[str] = set()
        self._quotes = 0
        self._preformatted = 0

    def text_of(self, markup: str) -> str:
        if is_too_deep(markup):
            return html_to_text(markup)
        tree = LexborHTMLParser(markup.replace("\0", ""))
        root = tree.root
        if root is not None:
            self._walk(root)
        self._break()
        return "\n".join(self._lines).strip("\n")

    def _walk(self, root: LexborNode) -> None:
        """Depth first without recursion: markup nests as deep as its author likes."""
        pending: list[LexborNode | Callable[[], None]] = [root]
        while pending:
            item = pending.pop()
            if callable(item):
                item()
                continue
            tag = item.tag
            if tag == "-text":
                self._say(item.text_content or "")
            elif tag not in _SILENT and tag != "-comment" and tag is not None:
                self._enter(item, tag, pending)

    def _enter(self, node: LexborNode, tag: str, pending: list[LexborNode | Callable[[], None]]) -> None:
        attributes = node.attributes if tag not in {"br", "tr", "tbody"} else {}
        if _is_hidden(attributes):
            return
        closing = self._opening(tag, attributes, node)
        if closing is not None:
            pending.append(closing)
        child = node.last_child
        while child is not None:
            pending.append(child)
            child = child.prev

    def _opening(
        self, tag: str, attributes: dict[str, str | None], node: LexborNode
    ) -> Callable[[], None] | None:
        if tag == "br":
            self._break()
        elif tag in {"td", "th"}:
            self._open.append(" ")
        elif tag == "a":
            return self._link(attributes.get("href") or "")
        elif tag == "img":
            alternative = " ".join((attributes.get("alt") or "").split())
            if len(alternative) > 3 and node.parent is not None and node.parent.tag == "a":
                self._open.append(alternative)
        elif tag in _BLOCKS:
            return self._block(tag)
        return None

    def _block(self, tag: str) -> Callable[[], None]:
        self._break()
        if tag in _SPACED:
            self._gap()
        if tag == "li":
            self._open.append("- ")
        elif tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._preformatted += 1

        def close() -> None:
            self._break()
            if tag in _SPACED:
                self._gap()
            self._quotes -= tag == "blockquote"
            self._preformatted -= tag == "pre"

        return close

    def _link(self, address: str) -> Callable[[], None] | None:
        address = address.strip()
        if not address.lower().startswith(("http://", "https://", "mailto:", "tel:")):
            return None
        start = len(self._open)

        def close() -> None:
            said = " ".join("".join(self._open[start:]).split())
            if is_tracker(address):
                self.trackers.append(address)
                return
            told = clean_url(address)
            bare = told.removeprefix("mailto:").removeprefix("tel:")
            if (
                told in self._told
                or not said
                or bare.rstrip("/") in {said, f"http://{said}", f"https://{said}"}
            ):
                return
            self._told.add(told)
            self._open.append(f" <{bare}>")

        return close

    def _say(self, text: str) -> None:
        text = text.translate(_INVISIBLE)
        if self._preformatted:
            first, *rest = text.split("\n")
            self._open.append(first)
            for line in rest:
                self._break(keep_blanks=True)
                self._open.append(line)
        elif not text.isspace():
            lead, trail = text[:1].isspace(), text[-1:].isspace()
            self._open.append(f"{' ' if lead else ''}{' '.join(text.split())}{' ' if trail else ''}")
        elif self._open:
            self._open.append(" ")

    def _break(self, *, keep_blanks: bool = False) -> None:
        if not self._open:
            return
        line = "".join(self._open)
        line = line.rstrip() if keep_blanks else " ".join(line.split())
        self._open.clear()
        if line and line != "-":
            self._lines.append(f"{'> ' * self._quotes}{line}")

    def _gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    if not attributes:
        return False
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    if not style:
        return False
    style = style.replace(" ", "").lower()
    return any(
        mark in style for mark in _HIDDEN if mark != "font-size:0"
    ) or "font-size:0;" in f"{style};".replace("0px;", "0;")
