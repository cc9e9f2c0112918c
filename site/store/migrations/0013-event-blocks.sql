-- oldest-code: 1
-- Short columns of stretches of events up to meta 'blocks_upto', for lists and statistics; see event-index.ts.
-- Each table is read for its own column only, and each row is written in bulk.
CREATE TABLE event_blocks (
  first_id INTEGER PRIMARY KEY,
  positions INTEGER NOT NULL,
  min_at INTEGER,
  max_at INTEGER,
  groups BLOB NOT NULL,
  cells BLOB NOT NULL
) STRICT;
CREATE TABLE event_block_times (
  first_id INTEGER PRIMARY KEY,
  base INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE event_block_places (
  first_id INTEGER PRIMARY KEY,
  places TEXT NOT NULL,
  data BLOB NOT NULL
) STRICT;

-- What lists filter by and statistics group by; an event is in one group. Words as in events, so not STRICT.
CREATE TABLE block_groups (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  tenant_code INTEGER NOT NULL,
  type INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  source INTEGER NOT NULL,
  verdict TEXT,
  is_test INTEGER NOT NULL,
  judged INTEGER NOT NULL,
  judged_type TEXT,
  dated INTEGER NOT NULL
);

CREATE INDEX audit_subject ON audit (subject, at);
CREATE INDEX tasks_created ON tasks (tenant_code, created_at, id);
