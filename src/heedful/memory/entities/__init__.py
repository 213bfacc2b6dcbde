"""People and things: read out of texts, kept once under all their names, and what holds between them.

Used outside the memory: `among`, `asked`, `canonical`, `canonical_people`, `graph`, `graph_predicates`, `hotness`,
`kinds`, `lookup`, `registry`.
"""
