-- What a model named is told from what patterns found: the prompt's version and the provider; empty for patterns.
ALTER TABLE mentions ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
