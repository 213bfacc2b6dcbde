"""One file a tool, found by its `TOOL`."""
