"""Works the queue off: what a kind of work is, who runs it, and how hard the machine lets it go.

The kinds themselves are the files of `jobs/`.

Used outside the memory: `growth`, `host_load`, `kind`, `known_kinds`, `worker`.
"""
