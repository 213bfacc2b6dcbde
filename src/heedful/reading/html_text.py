"""HTML mail as plain text a person would read."""

from selectolax.lexbor import LexborHTMLParser


def html_to_text(html: str) -> str:
    """The readable text; never raises, whatever the markup."""
    body = LexborHTMLParser(html).body
    return body.text(separator=" ").strip() if body is not None else ""
