-- Work that waits, the tree above the chunks, vectors, entities and their relations, and the record of reads.

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
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Summaries: above the chunks of a thread, above the threads of a source, above the sources; and one a day.
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL CHECK (scope IN ('thread', 'source', 'root', 'day')),
  scope_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  parent_id TEXT REFERENCES nodes (id) ON DELETE SET NULL,
  begins_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('model', 'extractive')),
  made_by TEXT NOT NULL,
  prompt TEXT NOT NULL DEFAULT '',
  stale INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX nodes_by_scope ON nodes (scope, scope_id, level, begins_at);
CREATE INDEX nodes_by_parent ON nodes (parent_id);

CREATE TABLE node_chunks (
  node_id TEXT NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
  chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  PRIMARY KEY (node_id, chunk_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_chunks_by_chunk ON node_chunks (chunk_id);

-- A row knows its model; what has no embedding has no row, never zeros.
CREATE TABLE vectors (
  owner_kind TEXT NOT NULL CHECK (owner_kind IN ('chunk', 'node')),
  owner_id TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  scale REAL NOT NULL,
  bits BLOB NOT NULL,
  int8 BLOB NOT NULL,
  PRIMARY KEY (owner_kind, owner_id, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  merged_into TEXT REFERENCES entities (id) ON DELETE SET NULL,
  person_said INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entities_by_kind ON entities (kind, name);

CREATE TABLE aliases (
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  alias TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (entity_id, kind, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_by_alias ON aliases (alias, kind);

CREATE TABLE mentions (
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  score REAL NOT NULL,
  said_at INTEGER NOT NULL,
  PRIMARY KEY (entity_id, chunk_id, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_chunk ON mentions (chunk_id);

CREATE TABLE merge_opinions (
  first_id TEXT NOT NULL,
  second_id TEXT NOT NULL,
  score REAL NOT NULL,
  reasons TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('suggested', 'merged', 'refused', 'parted')),
  by_person INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  PRIMARY KEY (first_id, second_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE relations (
  subject_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  predicate TEXT NOT NULL,
  object_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  confidence REAL NOT NULL,
  evidence_count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (subject_id, predicate, object_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE relation_evidence (
  subject_id TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object_id TEXT NOT NULL,
  chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
  PRIMARY KEY (subject_id, predicate, object_id, chunk_id),
  FOREIGN KEY (subject_id, predicate, object_id)
    REFERENCES relations (subject_id, predicate, object_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE query_hits (
  owner_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (owner_id, day)
) STRICT, WITHOUT ROWID;

-- What other programs asked of the memory.
CREATE TABLE reads (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  client TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  results INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

