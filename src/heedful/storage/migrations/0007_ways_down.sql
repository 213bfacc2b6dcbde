-- Summaries found by their words and by their meaning, as a way down to what they are made of. Both follow a node's
-- text and leave with it. `numbers` is null where a text has no vector; the next time it changes it is tried anew.

CREATE VIRTUAL TABLE node_index USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO node_index (rowid, text) SELECT seq, text FROM nodes WHERE text <> '';

CREATE TABLE node_vectors (
  node_seq INTEGER NOT NULL REFERENCES nodes (seq) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES embedding_models (id) ON DELETE CASCADE,
  numbers BLOB,
  PRIMARY KEY (node_seq, model_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_vectors_by_model ON node_vectors (model_id);

CREATE TRIGGER nodes_told_anew AFTER UPDATE OF text ON nodes WHEN new.text <> old.text BEGIN
  DELETE FROM node_index WHERE rowid = old.seq;
  INSERT INTO node_index (rowid, text) SELECT new.seq, new.text WHERE new.text <> '';
  DELETE FROM node_vectors WHERE node_seq = old.seq;
END;

CREATE TRIGGER nodes_leave_the_index AFTER DELETE ON nodes BEGIN
  DELETE FROM node_index WHERE rowid = old.seq;
END;
