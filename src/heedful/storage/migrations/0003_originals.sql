-- Texts that were cut before a model saw them, by the hash of their bytes, and what the cutting saved each day.

CREATE TABLE originals (
  id TEXT PRIMARY KEY,
  kept_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  packed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX originals_by_time ON originals (kept_at);

CREATE TABLE savings (
  day TEXT NOT NULL,
  rule TEXT NOT NULL,
  texts INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (day, rule)
) STRICT, WITHOUT ROWID;
