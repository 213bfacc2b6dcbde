"""The memory for other programs: six tools that read, over the Model Context Protocol on standard input and output.

From outside: `serve` runs until the other program closes its pipe. What a program may see is the person's word in
the settings (`clients`), every call leaves a row in the record (`memory.reads`), and nothing here can write to the
store. A new tool is one new file in `tools/` that offers `TOOL`.
"""
