-- Work that waits, the tree above the chunks, vectors, entities and their relations.

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  payload TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'running', 'done', 'failed')),
  again INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  deferrals INTEGER NOT NULL DEFAULT 0,
  available_at INTEGER NOT NULL,
  lease_token TEXT,
  leased_until INTEGER,
  leased_by TEXT,
  error_type TEXT,
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, dedupe_key) WHERE state IN ('ready', 'running');
CREATE INDEX jobs_by_turn ON jobs (state, kind, available_at);
CREATE INDEX jobs_that_failed ON jobs (kind, dedupe_key) WHERE state = 'failed';

-- How far each stage has come, in `chunks.seq` or `messages.changed`.
CREATE TABLE stage_cursors (
  stage TEXT PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Why a chunk was kept, signal by signal; a signal that is missing is absent.
CREATE TABLE admissions (
  chunk_id TEXT PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
  total REAL NOT NULL,
  signals TEXT NOT NULL,
  admitted INTEGER NOT NULL,
  reason TEXT NOT NULL,
  judged_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX admissions_refused ON admissions (chunk_id) WHERE admitted = 0;

-- Summaries: above the chunks of a thread, above the threads of a source, above the sources; and one a day.
-- A tree grows at its right end: of one scope and level at most the newest node is not sealed. `stale` counts the
-- changes below that the text does not know of yet.
CREATE TABLE nodes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL CHECK (scope IN ('thread', 'source', 'root', 'day')),
  scope_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  parent_id TEXT REFERENCES nodes (id) ON DELETE SET NULL,
  begins_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  items INTEGER NOT NULL DEFAULT 0,
  weight INTEGER NOT NULL DEFAULT 0,
  sealed INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL,
  stale INTEGER NOT NULL DEFAULT 1,
  text TEXT NOT NULL DEFAULT '',
  tokens INTEGER NOT NULL DEFAULT 0,
  method TEXT NOT NULL DEFAULT 'none' CHECK (method IN ('none', 'model', 'extractive')),
  made_by TEXT NOT NULL DEFAULT '',
  prompt TEXT NOT NULL DEFAULT '',
  made_at INTEGER
) STRICT;
CREATE INDEX nodes_by_scope ON nodes (scope, scope_id, level);
CREATE INDEX nodes_by_parent ON nodes (parent_id);
CREATE INDEX nodes_that_are_stale ON nodes (scope, level) WHERE stale > 0;
CREATE INDEX nodes_without_a_model ON nodes (ends_at) WHERE method = 'extractive';
CREATE INDEX nodes_that_are_open ON nodes (opened_at) WHERE sealed = 0;
CREATE INDEX nodes_by_begin ON nodes (begins_at) WHERE level <= 1;

CREATE TABLE node_chunks (
  node_id TEXT NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
  chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  PRIMARY KEY (node_id, chunk_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_chunks_by_chunk ON node_chunks (chunk_id);

CREATE TRIGGER node_chunks_leave_their_node AFTER DELETE ON node_chunks BEGIN
  UPDATE nodes SET stale = stale + 1, items = items - 1 WHERE id = old.node_id;
END;

-- Vectors of length one, kept as eight bits a number and a scale, by the model that made them. What has no embedding
-- has no row, never zeros. `part` counts a passage's parts; that of a short turn also holds the message before it,
-- whose last chunk is `before_seq`. The codes, one bit a number, lie apart: a search reads all of them.
CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id INTEGER NOT NULL REFERENCES embedding_models (id),
  chunk_seq INTEGER NOT NULL REFERENCES chunks (seq) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  before_seq INTEGER,
  content_hash TEXT NOT NULL,
  scale REAL NOT NULL,
  numbers BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_by_chunk ON vectors (chunk_seq, model_id, part);
CREATE INDEX vectors_by_chunk_before ON vectors (before_seq) WHERE before_seq IS NOT NULL;

CREATE TABLE vector_codes (
  id INTEGER PRIMARY KEY REFERENCES vectors (id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL,
  chunk_seq INTEGER NOT NULL,
  before_seq INTEGER,
  bits BLOB NOT NULL
) STRICT;

-- One identity as it was met: an address, a handle, a name within a source, an organisation, a thing. Entities with
-- the same `canonical` are one; it is worked out from merge_opinions, and taking an opinion back undoes it.
-- `chunks` counts the chunks that mention it: triggers keep it, and the entity goes with its last one.
CREATE TABLE entities (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  canonical INTEGER NOT NULL DEFAULT 0,
  person_said INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entities_by_canonical ON entities (canonical);

-- How an entity is written. Its `is_own` alias is what makes it this entity; another goes with its last mention.
CREATE TABLE aliases (
  seq INTEGER PRIMARY KEY,
  entity_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('address', 'name', 'handle', 'phone', 'signed address', 'value')),
  alias TEXT NOT NULL,
  folded TEXT NOT NULL,
  is_own INTEGER NOT NULL DEFAULT 0,
  uses INTEGER NOT NULL DEFAULT 0,
  UNIQUE (entity_seq, kind, alias)
) STRICT;
CREATE INDEX aliases_by_folded ON aliases (folded, kind);

-- Digests of what an identity must share with another to be weighed against it; they tell nothing by themselves.
CREATE TABLE identity_keys (
  key INTEGER NOT NULL,
  entity_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  PRIMARY KEY (key, entity_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_keys_by_entity ON identity_keys (entity_seq);

-- Positions are characters of the message's text; those who stand in its head have 0 and 0, at its first chunk.
CREATE TABLE mentions (
  entity_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  chunk_seq INTEGER NOT NULL REFERENCES chunks (seq) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('author', 'to', 'cc', 'text', 'signature')),
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  alias_seq INTEGER NOT NULL,
  score REAL NOT NULL,
  said_at INTEGER NOT NULL,
  PRIMARY KEY (entity_seq, chunk_seq, role, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_chunk ON mentions (chunk_seq);
CREATE INDEX mentions_by_time ON mentions (said_at, entity_seq, chunk_seq);

CREATE TRIGGER mentions_are_counted AFTER INSERT ON mentions BEGIN
  UPDATE aliases SET uses = uses + 1 WHERE seq = new.alias_seq;
  UPDATE entities SET chunks = chunks + 1 WHERE seq = new.entity_seq AND NOT EXISTS (
    SELECT 1 FROM mentions m WHERE m.entity_seq = new.entity_seq AND m.chunk_seq = new.chunk_seq
    AND (m.role <> new.role OR m.start <> new.start)
  );
END;

CREATE TRIGGER mentions_are_counted_off AFTER DELETE ON mentions BEGIN
  UPDATE aliases SET uses = uses - 1 WHERE seq = old.alias_seq;
  DELETE FROM aliases WHERE seq = old.alias_seq AND uses <= 0 AND NOT is_own;
  UPDATE entities SET chunks = chunks - 1 WHERE seq = old.entity_seq AND NOT EXISTS (
    SELECT 1 FROM mentions m WHERE m.entity_seq = old.entity_seq AND m.chunk_seq = old.chunk_seq
  );
  DELETE FROM entities WHERE seq = old.entity_seq AND chunks <= 0 AND NOT person_said;
END;

CREATE TRIGGER names_leave_with_their_alias AFTER DELETE ON aliases BEGIN
  UPDATE entities SET name = coalesce((
    SELECT a.alias FROM aliases a WHERE a.entity_seq = old.entity_seq ORDER BY a.kind = 'name' DESC, a.uses DESC LIMIT 1
  ), '') WHERE seq = old.entity_seq AND name = old.alias;
END;

-- What is held of a pair, the smaller number first; the person's word (`by_person`) binds.
CREATE TABLE merge_opinions (
  first_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  second_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  score REAL NOT NULL,
  reasons TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('suggested', 'merged', 'refused', 'parted')),
  by_person INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  PRIMARY KEY (first_seq, second_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX merge_opinions_by_second ON merge_opinions (second_seq);
CREATE INDEX merge_opinions_by_verdict ON merge_opinions (verdict, score);

-- `doubt` is the sum of ln(1 - confidence) over the evidence; triggers keep what depends on the evidence.
CREATE TABLE relations (
  seq INTEGER PRIMARY KEY,
  subject_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  predicate TEXT NOT NULL,
  object_seq INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  evidence_count INTEGER NOT NULL DEFAULT 0,
  doubt REAL NOT NULL DEFAULT 0,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  UNIQUE (subject_seq, predicate, object_seq)
) STRICT;
CREATE INDEX relations_by_object ON relations (object_seq);

CREATE TABLE relation_evidence (
  relation_seq INTEGER NOT NULL REFERENCES relations (seq) ON DELETE CASCADE,
  said_at INTEGER NOT NULL,
  chunk_seq INTEGER NOT NULL REFERENCES chunks (seq) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  doubt REAL NOT NULL,
  PRIMARY KEY (relation_seq, said_at, chunk_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX relation_evidence_by_chunk ON relation_evidence (chunk_seq);

CREATE TRIGGER evidence_strengthens AFTER INSERT ON relation_evidence BEGIN
  UPDATE relations SET evidence_count = evidence_count + 1, doubt = doubt + new.doubt,
    first_at = min(first_at, new.said_at), last_at = max(last_at, new.said_at) WHERE seq = new.relation_seq;
END;

CREATE TRIGGER evidence_gone_weakens AFTER DELETE ON relation_evidence BEGIN
  UPDATE relations SET evidence_count = evidence_count - 1, doubt = min(0.0, doubt - old.doubt),
    first_at = coalesce((SELECT min(e.said_at) FROM relation_evidence e WHERE e.relation_seq = old.relation_seq), first_at),
    last_at = coalesce((SELECT max(e.said_at) FROM relation_evidence e WHERE e.relation_seq = old.relation_seq), last_at)
    WHERE seq = old.relation_seq;
  DELETE FROM relations WHERE seq = old.relation_seq AND evidence_count <= 0;
END;

CREATE TABLE query_hits (
  owner_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (owner_id, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER hits_leave_with_their_entity AFTER DELETE ON entities BEGIN
  DELETE FROM query_hits WHERE owner_id = old.id;
END;

-- Who wrote and received what: asked for when a person is looked at or forgotten, and by each row of people that goes.
-- What tells whose mailbox it is stands beside it, so that all mail can be counted without reading a message's row.
CREATE INDEX messages_by_author ON messages (
  author_id, channel, coalesce(traits ->> 'sent_folder', 0) OR coalesce(from_me, 0), traits ->> 'delivered_to'
);
CREATE INDEX recipients_by_participant ON recipients (participant_id);
