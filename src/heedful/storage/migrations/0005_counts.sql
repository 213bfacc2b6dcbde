-- What a listing would count over and over, kept by triggers: what each source brought in first, and how many of its
-- chunks mention an entity. A chunk that was left out of the memory does not count for an entity; a count of nothing
-- has no row. While a message goes, its chunks find it gone already: what they made is taken back before.

CREATE TABLE source_counts (
  source_id TEXT PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
  messages INTEGER NOT NULL,
  chunks INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entity_counts (
  entity_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  source_id TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  PRIMARY KEY (entity_seq, source_id)
) STRICT, WITHOUT ROWID;

INSERT INTO source_counts (source_id, messages, chunks)
  SELECT m.source_id, count(DISTINCT m.seq), count(c.seq) FROM messages m LEFT JOIN chunks c ON c.message_seq = m.seq
  GROUP BY m.source_id;

INSERT INTO entity_counts (entity_seq, source_id, chunks)
  SELECT x.entity_seq, m.source_id, count(DISTINCT x.chunk_seq) FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq
  JOIN messages m ON m.seq = c.message_seq
  WHERE NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0)
  GROUP BY x.entity_seq, m.source_id;

CREATE TRIGGER counts_of_nothing_go AFTER UPDATE ON entity_counts WHEN new.chunks <= 0 BEGIN
  DELETE FROM entity_counts WHERE entity_seq = new.entity_seq AND source_id = new.source_id;
END;

-- Messages.

CREATE TRIGGER messages_are_counted AFTER INSERT ON messages BEGIN
  INSERT INTO source_counts (source_id, messages, chunks) VALUES (new.source_id, 1, 0)
    ON CONFLICT (source_id) DO UPDATE SET messages = messages + 1;
END;

CREATE TRIGGER messages_are_counted_off BEFORE DELETE ON messages BEGIN
  UPDATE source_counts SET messages = messages - 1,
    chunks = chunks - (SELECT count(*) FROM chunks c WHERE c.message_seq = old.seq) WHERE source_id = old.source_id;
  UPDATE entity_counts SET chunks = chunks - (
    SELECT count(DISTINCT x.chunk_seq) FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq
    WHERE c.message_seq = old.seq AND x.entity_seq = entity_counts.entity_seq
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0)
  ) WHERE source_id = old.source_id AND entity_seq IN (
    SELECT x.entity_seq FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq WHERE c.message_seq = old.seq
  );
END;

CREATE TRIGGER messages_are_counted_elsewhere AFTER UPDATE OF source_id ON messages
WHEN new.source_id <> old.source_id BEGIN
  UPDATE source_counts SET messages = messages - 1,
    chunks = chunks - (SELECT count(*) FROM chunks c WHERE c.message_seq = new.seq) WHERE source_id = old.source_id;
  INSERT INTO source_counts (source_id, messages, chunks)
    SELECT new.source_id, 1, count(*) FROM chunks c WHERE c.message_seq = new.seq
    ON CONFLICT (source_id) DO UPDATE SET messages = messages + 1, chunks = chunks + excluded.chunks;
  UPDATE entity_counts SET chunks = chunks - (
    SELECT count(DISTINCT x.chunk_seq) FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq
    WHERE c.message_seq = new.seq AND x.entity_seq = entity_counts.entity_seq
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0)
  ) WHERE source_id = old.source_id AND entity_seq IN (
    SELECT x.entity_seq FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq WHERE c.message_seq = new.seq
  );
  INSERT INTO entity_counts (entity_seq, source_id, chunks)
    SELECT x.entity_seq, new.source_id, count(DISTINCT x.chunk_seq)
    FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq WHERE c.message_seq = new.seq
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0) GROUP BY x.entity_seq
    ON CONFLICT (entity_seq, source_id) DO UPDATE SET chunks = chunks + excluded.chunks;
END;

-- Chunks, of a message that stays.

CREATE TRIGGER chunks_are_counted AFTER INSERT ON chunks BEGIN
  UPDATE source_counts SET chunks = chunks + 1
    WHERE source_id = (SELECT m.source_id FROM messages m WHERE m.seq = new.message_seq);
END;

CREATE TRIGGER chunks_are_counted_off BEFORE DELETE ON chunks BEGIN
  UPDATE source_counts SET chunks = chunks - 1
    WHERE source_id = (SELECT m.source_id FROM messages m WHERE m.seq = old.message_seq);
  UPDATE entity_counts SET chunks = chunks - 1
    WHERE source_id = (SELECT m.source_id FROM messages m WHERE m.seq = old.message_seq)
    AND entity_seq IN (SELECT x.entity_seq FROM mentions x WHERE x.chunk_seq = old.seq)
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = old.id AND d.admitted = 0);
END;

-- Mentions: the first of an entity in a chunk, and the last.

CREATE TRIGGER mentions_count_for_their_source AFTER INSERT ON mentions WHEN NOT EXISTS (
  SELECT 1 FROM mentions x WHERE x.entity_seq = new.entity_seq AND x.chunk_seq = new.chunk_seq
  AND (x.role <> new.role OR x.start <> new.start)
) BEGIN
  INSERT INTO entity_counts (entity_seq, source_id, chunks)
    SELECT new.entity_seq, m.source_id, 1 FROM chunks c JOIN messages m ON m.seq = c.message_seq
    WHERE c.seq = new.chunk_seq
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0)
    ON CONFLICT (entity_seq, source_id) DO UPDATE SET chunks = chunks + 1;
END;

CREATE TRIGGER mentions_no_longer_count_for_their_source AFTER DELETE ON mentions WHEN NOT EXISTS (
  SELECT 1 FROM mentions x WHERE x.entity_seq = old.entity_seq AND x.chunk_seq = old.chunk_seq
) BEGIN
  UPDATE entity_counts SET chunks = chunks - 1 WHERE entity_seq = old.entity_seq AND source_id = (
    SELECT m.source_id FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE c.seq = old.chunk_seq
    AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND d.admitted = 0)
  );
END;

-- Verdicts on chunks; one that is written over an earlier one fires no trigger of the earlier one's going.

CREATE TRIGGER chunks_count_again_before_a_new_verdict BEFORE INSERT ON admissions
WHEN EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = new.chunk_id AND d.admitted = 0) BEGIN
  INSERT INTO entity_counts (entity_seq, source_id, chunks)
    SELECT DISTINCT x.entity_seq, m.source_id, 1 FROM chunks c JOIN messages m ON m.seq = c.message_seq
    JOIN mentions x ON x.chunk_seq = c.seq WHERE c.id = new.chunk_id
    ON CONFLICT (entity_seq, source_id) DO UPDATE SET chunks = chunks + 1;
END;

CREATE TRIGGER chunks_left_out_do_not_count AFTER INSERT ON admissions WHEN new.admitted = 0 BEGIN
  UPDATE entity_counts SET chunks = chunks - 1
    WHERE source_id = (
      SELECT m.source_id FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE c.id = new.chunk_id
    )
    AND entity_seq IN (
      SELECT x.entity_seq FROM chunks c JOIN mentions x ON x.chunk_seq = c.seq WHERE c.id = new.chunk_id
    );
END;

CREATE TRIGGER chunks_count_again_without_a_verdict AFTER DELETE ON admissions WHEN old.admitted = 0 BEGIN
  INSERT INTO entity_counts (entity_seq, source_id, chunks)
    SELECT DISTINCT x.entity_seq, m.source_id, 1 FROM chunks c JOIN messages m ON m.seq = c.message_seq
    JOIN mentions x ON x.chunk_seq = c.seq WHERE c.id = old.chunk_id
    ON CONFLICT (entity_seq, source_id) DO UPDATE SET chunks = chunks + 1;
END;
