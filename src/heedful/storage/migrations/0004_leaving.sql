-- What the person had forgotten while its source still holds it, how long what a source brings in is kept, what its
-- source no longer holds, and how the last reading of a source went.
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

-- Which messages lost their last source, until they leave the memory for good or another source brings them again.
CREATE TABLE departures (
  message_seq INTEGER PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
  noted_at INTEGER NOT NULL
) STRICT;

-- `held_at`: when the source was first met with it, or last seen to hold it by a comparison of everything. What was
-- read from another place than the source's own is `elsewhere`: its absence there tells nothing.
ALTER TABLE origins ADD COLUMN held_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE origins ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;

-- `last_new_at`: when a message last came in. `reading_since` is set while the source is read, and stays when the
-- process dies over it; `stop` says why the last reading ended early, after `stop_done` of about `stop_total` messages.
-- `compared_at`: when everything was last compared; `comparing_since` and `comparing_cursor` of one under way.
-- `missing` counts what was not there any more and is kept all the same, for it was too much to be believed.
ALTER TABLE sources ADD COLUMN last_new_at INTEGER;
ALTER TABLE sources ADD COLUMN reading_since INTEGER;
ALTER TABLE sources ADD COLUMN stop TEXT CHECK (stop IN ('cancelled', 'paused', 'cut off', 'error', 'busy'));
ALTER TABLE sources ADD COLUMN stop_done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN stop_total INTEGER;
ALTER TABLE sources ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN compared_at INTEGER;
ALTER TABLE sources ADD COLUMN comparing_since INTEGER;
ALTER TABLE sources ADD COLUMN comparing_cursor TEXT NOT NULL DEFAULT '';

-- `first_at`: when a place was first found unreadable.
ALTER TABLE rejects ADD COLUMN first_at INTEGER NOT NULL DEFAULT 0;
