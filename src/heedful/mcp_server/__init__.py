"""The memory for other programs: tools that read, over the Model Context Protocol on standard input and output.

From outside: `serve` runs until the other program closes its pipe. What a program may see is the person's word in
the settings (`clients`), every call leaves a row in the record (`memory.reads`), and nothing here can write to the
store. A new tool is one new file in `tools/` that offers `TOOL`.
"""

from heedful.mcp_server.desk import Desk, OpenMemory
from heedful.mcp_server.server import serve
from heedful.mcp_server.tool import every_tool
from heedful.mcp_server.wire import Wire

__all__ = ["Desk", "OpenMemory", "Wire", "every_tool", "serve"]
