"""People and things: read out of texts, kept once under all their names, and what holds between them."""
