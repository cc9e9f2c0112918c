-- oldest-code: 1
CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Short texts that come again and again in events, which then hold the number; see dictionary.ts.
CREATE TABLE words (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- The columns of words hold the number, or '=' and the text, which only a table that is not STRICT allows.
-- No index beside the key: every further one would add a page to each intake sync.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  tenant_code INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  type INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  source INTEGER NOT NULL,
  severity INTEGER,
  occurred_at INTEGER,
  received_at INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  node_key INTEGER,
  instance TEXT,
  origin_id INTEGER,
  origin_received_at INTEGER,
  doc TEXT NOT NULL
);

-- The idempotency keys of events up to meta 'keys_upto', as sorted runs of (hash, event id); see key-index.ts.
CREATE TABLE key_runs (
  run INTEGER PRIMARY KEY,
  level INTEGER NOT NULL,
  keys INTEGER NOT NULL,
  fences BLOB NOT NULL,
  bloom BLOB NOT NULL
) STRICT;
CREATE TABLE key_chunks (
  id INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE verdicts (
  event_id INTEGER PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  verdict TEXT NOT NULL,
  by TEXT NOT NULL,
  by_kind TEXT NOT NULL,
  note TEXT,
  merged_into INTEGER,
  judged TEXT,
  disposition TEXT,
  at INTEGER NOT NULL,
  decision_id TEXT
) STRICT;

CREATE TABLE corrections (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_id INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  verdict TEXT NOT NULL,
  by TEXT NOT NULL,
  by_kind TEXT NOT NULL,
  note TEXT NOT NULL,
  merged_into INTEGER,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_event ON corrections (event_id, seq);

CREATE TABLE verdict_changes (
  change_no INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  kind TEXT NOT NULL,
  decision_id TEXT,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX verdict_changes_decision ON verdict_changes (decision_id) WHERE decision_id IS NOT NULL;

CREATE TABLE subscriptions (
  consumer TEXT NOT NULL PRIMARY KEY,
  tenant_code TEXT,
  event_types TEXT,
  min_severity TEXT,
  push_url TEXT,
  secret_ref TEXT,
  enabled INTEGER NOT NULL,
  cursor INTEGER NOT NULL,
  push_cursor INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  tenant_code TEXT,
  subject TEXT NOT NULL,
  secret_ref TEXT NOT NULL,
  previous_ref TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE feedback (
  id TEXT NOT NULL PRIMARY KEY,
  event_id INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  node_key TEXT,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER
) STRICT;
CREATE INDEX feedback_due ON feedback (next_at) WHERE state = 'pending';
CREATE INDEX feedback_event ON feedback (event_id);
CREATE INDEX feedback_expired ON feedback (id) WHERE state = 'expired';

CREATE TABLE audit (
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  tenant_code TEXT,
  before TEXT,
  after TEXT,
  PRIMARY KEY (at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarms (
  instance TEXT NOT NULL,
  key TEXT NOT NULL,
  tenant_code TEXT,
  severity TEXT NOT NULL,
  message TEXT NOT NULL,
  details TEXT,
  raised_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  cleared_at INTEGER,
  PRIMARY KEY (instance, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE uplink_channels (
  name TEXT NOT NULL PRIMARY KEY,
  hub_epoch TEXT,
  cursor INTEGER NOT NULL,
  cursor_at INTEGER,
  last_ack_at INTEGER,
  sent_total INTEGER NOT NULL,
  duplicate_total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE uplink_parked (
  channel TEXT NOT NULL,
  origin_id INTEGER NOT NULL,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (channel, origin_id)
) STRICT, WITHOUT ROWID;
