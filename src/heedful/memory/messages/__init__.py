"""Messages, threads and sources as they lie in the store: their rows, and what every text goes through first.

The lowest room of the memory: it knows no other.

Used outside the memory: `day_counts`, `messages_store`, `own_addresses_store`, `source_outlines`,
`sources_store`.
"""
