"""Text that a mail program wrapped for transport, as the writer's own lines (RFC 3676, format=flowed)."""


def unflow(text: str, *, delsp: bool = False) -> str:
    """The paragraphs joined again; quote marks and the signature separator stay. `delsp`: the space goes too."""
    lines: list[str] = []
    paragraph: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        depth, words = _quoted(line)
        is_separator = words in {"-- ", "--"}
        flows = words.endswith(" ") and not is_separator
        if depth != open_depth or is_separator:
            lines.append("".join(paragraph))
            paragraph = [">" * depth + (" " if depth and words else "")]
        paragraph.append(words[:-1] if flows and delsp else words)
        open_depth = depth if flows else -1
    lines.append("".join(paragraph))
    return "\n".join(line if line.endswith("-- ") else line.rstrip(" ") for line in lines[1:])


def _quoted(line: str) -> tuple[int, str]:
    """How deep a line is quoted, and what it says without marks and space-stuffing."""
    depth = len(line) - len(line.lstrip(">"))
    words = line[depth:]
    return depth, words.removeprefix(" ")
