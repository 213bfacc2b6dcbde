"""What Heedful remembers: ingest with redaction, chunks, the search index, threads, recall."""
