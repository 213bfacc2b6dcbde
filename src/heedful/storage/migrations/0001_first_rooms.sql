-- Sources and what they brought in, the search index, what the loop made of it, and the record of every look.
-- Moments are whole milliseconds since 1970 in UTC. JSON columns hold arrays or objects as their name says.

CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'error')),
  egress TEXT NOT NULL DEFAULT 'allowed' CHECK (egress IN ('allowed', 'local-only')),
  watched INTEGER NOT NULL DEFAULT 0,
  cursor TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  last_sync_at INTEGER,
  error TEXT
) STRICT;

CREATE TABLE rejects (
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  reason TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE participants (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (address, name)
) STRICT;

CREATE TABLE own_addresses (
  address TEXT PRIMARY KEY,
  origin TEXT NOT NULL CHECK (origin IN ('inferred', 'stated', 'refused')),
  uses INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE threads (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  channel TEXT NOT NULL,
  title TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  messages INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX threads_by_source ON threads (source_id, last_at);

-- `seq` is the order of arrival; `changed` rises with each arrival and each edit: what a loop reads from.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('message', 'event', 'note')),
  channel TEXT NOT NULL,
  external_id TEXT NOT NULL,
  identity TEXT NOT NULL UNIQUE,
  author_id INTEGER REFERENCES participants (id),
  from_me INTEGER,
  sent_at INTEGER NOT NULL,
  sent_offset_min INTEGER NOT NULL DEFAULT 0,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  zones TEXT NOT NULL,
  lang TEXT NOT NULL,
  traits TEXT NOT NULL,
  reply_to TEXT,
  content_hash TEXT NOT NULL,
  ingested_at INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_thread ON messages (thread_id, sent_at);
CREATE INDEX messages_by_source ON messages (source_id, sent_at);
CREATE UNIQUE INDEX messages_by_change ON messages (changed);

-- Where a message was met: the same mail in two folders is one message with two origins.
CREATE TABLE origins (
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  external_id TEXT NOT NULL,
  message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
  PRIMARY KEY (source_id, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX origins_by_message ON origins (message_seq);

CREATE TABLE recipients (
  message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
  participant_id INTEGER NOT NULL REFERENCES participants (id),
  role TEXT NOT NULL CHECK (role IN ('to', 'cc')),
  place INTEGER NOT NULL,
  PRIMARY KEY (message_seq, participant_id, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE occurrences (
  message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
  occurrence TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  all_day INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'tentative', 'cancelled')),
  moved_from INTEGER,
  PRIMARY KEY (message_seq, occurrence)
) STRICT, WITHOUT ROWID;
CREATE INDEX occurrences_by_start ON occurrences (starts_at);

-- The series as its file gave it, to be unfolded further as time goes on.
CREATE TABLE calendar_series (
  message_seq INTEGER PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
  raw TEXT NOT NULL,
  unfolded_until INTEGER NOT NULL
) STRICT;

CREATE TABLE chunks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_by_message ON chunks (message_seq, start);

-- `stems` holds the stems of a text that is not English, by its language: the tokenizer's own are English.
CREATE VIRTUAL TABLE chunk_index USING fts5 (
  text, subject, people, stems,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunks_leave_the_index AFTER DELETE ON chunks BEGIN
  DELETE FROM chunk_index WHERE rowid = old.seq;
END;

CREATE TABLE ticks (
  run_id TEXT PRIMARY KEY,
  cause TEXT NOT NULL CHECK (cause IN ('timer', 'manual', 'command')),
  outcome TEXT NOT NULL
    CHECK (outcome IN ('running', 'completed', 'quiet', 'skipped', 'superseded', 'error', 'interrupted')),
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  provider TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  namespaces TEXT NOT NULL DEFAULT '[]',
  messages INTEGER NOT NULL DEFAULT 0,
  actionable_count INTEGER NOT NULL DEFAULT 0,
  new INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  rejected TEXT NOT NULL DEFAULT '[]',
  notes TEXT NOT NULL DEFAULT '[]',
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  model_calls INTEGER NOT NULL DEFAULT 0,
  error_type TEXT,
  error TEXT
) STRICT;
CREATE INDEX ticks_by_start ON ticks (started_at);

-- Up to which change each finder has looked with success. A finder that fails keeps its place.
CREATE TABLE finder_cursors (
  finder TEXT PRIMARY KEY,
  changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Why a message led to an item, or to silence.
CREATE TABLE verdicts (
  message_seq INTEGER PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  verdict TEXT NOT NULL,
  reasons TEXT NOT NULL,
  judged_at INTEGER NOT NULL
) STRICT;

CREATE TABLE actionables (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  source TEXT NOT NULL
    CHECK (source IN ('email', 'calendar', 'telegram', 'ai_insight', 'system', 'trading', 'security')),
  priority TEXT NOT NULL CHECK (priority IN ('critical', 'important', 'normal')),
  actionable INTEGER NOT NULL,
  requires_confirmation INTEGER NOT NULL,
  has_complex_action INTEGER NOT NULL,
  source_label TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('active', 'awaiting', 'approved', 'completed', 'dismissed', 'snoozed', 'expired')),
  due_at INTEGER,
  due_zone_offset_min INTEGER,
  due_text TEXT,
  direction TEXT NOT NULL CHECK (direction IN ('mine', 'theirs', 'unknown')),
  people TEXT NOT NULL,
  proposed_action TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  snoozed_until INTEGER,
  expires_at INTEGER,
  found_by TEXT NOT NULL,
  prompt TEXT NOT NULL,
  confidence REAL NOT NULL,
  reasons TEXT NOT NULL
) STRICT;
CREATE INDEX actionables_by_state ON actionables (state, priority, created_at);

CREATE TABLE actionable_evidence (
  actionable_id TEXT NOT NULL REFERENCES actionables (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('found', 'done')),
  chunk_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  quote TEXT NOT NULL,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  PRIMARY KEY (actionable_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_message ON actionable_evidence (message_id);

CREATE TABLE actionable_history (
  id INTEGER PRIMARY KEY,
  actionable_id TEXT NOT NULL REFERENCES actionables (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (actor IN ('person', 'loop', 'time')),
  verb TEXT NOT NULL,
  before_state TEXT,
  after_state TEXT NOT NULL,
  snoozed_until_before INTEGER
) STRICT;
CREATE INDEX history_by_actionable ON actionable_history (actionable_id, id);

-- A running call's tokens and cost are what is set aside for it; cost is null where the price is unknown.
CREATE TABLE ledger (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  provider TEXT NOT NULL,
  host TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  source_ids TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  cost_microdollars INTEGER,
  duration_ms INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  outcome TEXT NOT NULL
    CHECK (outcome IN ('running', 'answered', 'unreadable', 'failed', 'cancelled', 'interrupted')),
  error TEXT,
  request TEXT,
  response TEXT
) STRICT;
CREATE INDEX ledger_by_time ON ledger (at);

CREATE TABLE consents (
  provider TEXT NOT NULL,
  base_url TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  PRIMARY KEY (provider, base_url)
) STRICT, WITHOUT ROWID;

-- What a server was found able to do, so that it is probed once.
CREATE TABLE provider_abilities (
  base_url TEXT NOT NULL,
  model TEXT NOT NULL,
  rung TEXT NOT NULL CHECK (rung IN ('json_schema', 'json_object', 'plain')),
  limit_field TEXT NOT NULL CHECK (limit_field IN ('max_tokens', 'max_completion_tokens')),
  takes_temperature INTEGER NOT NULL,
  probed_at INTEGER NOT NULL,
  PRIMARY KEY (base_url, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE interruptions (
  id INTEGER PRIMARY KEY,
  actionable_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('shown', 'held')),
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX interruptions_by_item ON interruptions (actionable_id, at);

CREATE TABLE pauses (
  name TEXT PRIMARY KEY,
  until_at INTEGER
) STRICT, WITHOUT ROWID;
