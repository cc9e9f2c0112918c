-- oldest-code: 140
-- The index of events behind lists and statistics is one design at sites and at headquarters: narrow facts, their groups
-- and places, and counts by the hour and the day, filled in bulk behind meta 'index_events_upto'; see event-index/. It is
-- made anew from the events. Verdicts up to meta 'index_changes_upto' are in it.
DROP TABLE event_blocks;
DROP TABLE event_block_times;
DROP TABLE event_block_places;
DROP TABLE block_groups;
DELETE FROM meta WHERE key IN ('blocks_upto', 'block_changes_upto');

-- Few: an event is in one group and at one place. A null counts as a value of its own where they are looked up.
CREATE TABLE event_groups (
  id INTEGER PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  verdict TEXT,
  is_test INTEGER NOT NULL,
  judged INTEGER NOT NULL,
  judged_type TEXT
) STRICT;
CREATE UNIQUE INDEX event_groups_key ON event_groups (tenant_code, type, kind, source, verdict, is_test, judged, judged_type);
CREATE TABLE event_places (
  id INTEGER PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  site_ref TEXT,
  camera_ref TEXT
) STRICT;
CREATE UNIQUE INDEX event_places_key ON event_places (tenant_code, site_ref, camera_ref);

-- Appended in the order of ids, and read in stretches: no index beside the key, since every further one costs random pages.
-- The tenant comes last: a scan seldom needs it.
CREATE TABLE event_facts (
  event_id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL,
  place_id INTEGER NOT NULL,
  occurred_at INTEGER,
  tenant_code TEXT NOT NULL
) STRICT;

-- Events by time of occurrence, UTC. Those without one are in no hour, and in a day before all others.
CREATE TABLE event_hours (
  start_at INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  PRIMARY KEY (start_at, group_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE event_days (
  start_at INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- The ids of all that ever were counted here lie between these.
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  PRIMARY KEY (start_at, group_id)
) STRICT, WITHOUT ROWID;

-- Events hold their texts themselves. Those of before, with numbers for the texts in `words`, are taken over in slices
-- when the store is opened (take-over.ts), so that neither the WAL nor the file grows by a whole store.
-- No index beside the key: every further one would add a page to each intake sync.
-- Meanwhile this tells how far ids were given out, also whoever restores another store.
INSERT INTO meta (key, value) SELECT 'last_event_id', CAST(id AS TEXT) FROM events WHERE true ORDER BY id DESC LIMIT 1
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER);
ALTER TABLE events RENAME TO events_in_words;
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  severity TEXT,
  occurred_at INTEGER,
  received_at INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  node_key TEXT,
  instance TEXT,
  origin_id INTEGER,
  origin_received_at INTEGER,
  doc TEXT NOT NULL
) STRICT;
