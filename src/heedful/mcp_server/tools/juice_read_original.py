"""`juice.read_original`: what compression cut down, byte for byte.

An original says nothing of the sources it came from, so only a program that may see everything gets one.
"""

import base64

from heedful.core.errors import RejectedError
from heedful.mcp_server.arguments import ReadOriginal
from heedful.mcp_server.results import Original
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.storage import Connection
from heedful.tokenjuice.originals_store import fetch


def _answer(connection: Connection, asked: Asked, wanted: ReadOriginal) -> Answer:
    data = fetch(connection, wanted.retrieve_id) if asked.scope.is_everything else None
    if data is None:
        raise RejectedError(
            "There is no such original",
            "It was never kept, was forgotten to make room, or this program may not see everything.",
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    coded = None if text is not None else base64.b64encode(data).decode("ascii")
    return Answer(Original(id=wanted.retrieve_id, text=text, base64=coded), (wanted.retrieve_id,))


TOOL = Tool(
    "juice.read_original",
    "Read an original",
    "Gives back the text that a line beginning with [juice …] says was cut down, by the id in that line: as text, or "
    "in base64 where it is not UTF-8.",
    ReadOriginal,
    Original,
    _answer,
)
