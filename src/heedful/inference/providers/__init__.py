"""One file per provider kind, each offering a `PRESET`; a new kind is a new file here."""
