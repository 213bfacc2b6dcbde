-- What the person had forgotten while its source still holds it, and how long what a source brings in is kept.
-- `message_id` is a digest that tells nothing of the message; a source that is removed and added again starts afresh.

CREATE TABLE forgotten_messages (
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  PRIMARY KEY (source_id, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE retentions (
  source_id TEXT PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
  days INTEGER NOT NULL CHECK (days > 0)
) STRICT, WITHOUT ROWID;
