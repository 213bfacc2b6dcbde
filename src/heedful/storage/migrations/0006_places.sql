-- Where and when each chunk is from, in some thirty bytes: what narrows a look-up is asked of thousands of chunks, and
-- a message's own row is read for none of them. Ids stand by their first bytes; whoever shows what was found compares
-- them whole. Triggers keep it.

CREATE TABLE chunk_places (
  chunk_seq INTEGER PRIMARY KEY REFERENCES chunks (seq) ON DELETE CASCADE,
  message_seq INTEGER NOT NULL,
  source BLOB NOT NULL,
  thread BLOB NOT NULL,
  sent_at INTEGER NOT NULL
) STRICT;

INSERT INTO chunk_places (chunk_seq, message_seq, source, thread, sent_at)
  SELECT c.seq, m.seq, coalesce(unhex(substr(m.source_id, 1, 8)), CAST(m.source_id AS BLOB)),
  coalesce(unhex(substr(m.thread_id, 1, 12)), CAST(m.thread_id AS BLOB)), m.sent_at
  FROM chunks c JOIN messages m ON m.seq = c.message_seq;

CREATE TRIGGER chunks_have_a_place AFTER INSERT ON chunks BEGIN
  INSERT INTO chunk_places (chunk_seq, message_seq, source, thread, sent_at)
    SELECT new.seq, m.seq, coalesce(unhex(substr(m.source_id, 1, 8)), CAST(m.source_id AS BLOB)),
    coalesce(unhex(substr(m.thread_id, 1, 12)), CAST(m.thread_id AS BLOB)), m.sent_at
    FROM messages m WHERE m.seq = new.message_seq;
END;

CREATE TRIGGER chunks_move_with_their_message AFTER UPDATE OF source_id, thread_id, sent_at ON messages
WHEN new.source_id <> old.source_id OR new.thread_id <> old.thread_id OR new.sent_at <> old.sent_at BEGIN
  UPDATE chunk_places SET source = coalesce(unhex(substr(new.source_id, 1, 8)), CAST(new.source_id AS BLOB)),
    thread = coalesce(unhex(substr(new.thread_id, 1, 12)), CAST(new.thread_id AS BLOB)), sent_at = new.sent_at
    WHERE chunk_seq IN (SELECT c.seq FROM chunks c WHERE c.message_seq = new.seq);
END;
