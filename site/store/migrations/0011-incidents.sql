-- oldest-code: 1
-- AUTOINCREMENT: an id is never given again, also after the newest group was deleted.
CREATE TABLE incidents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_code TEXT NOT NULL,
  source_key TEXT,
  layer TEXT NOT NULL,
  site_ref TEXT NOT NULL,
  point_ref TEXT,
  title TEXT,
  state TEXT NOT NULL,
  state_before TEXT,
  merged_into INTEGER,
  split_from INTEGER,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  event_types TEXT NOT NULL,
  sources TEXT NOT NULL,
  severity TEXT NOT NULL,
  member_count INTEGER NOT NULL,
  test_member_count INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  first_event_id INTEGER,
  first_event_at INTEGER,
  first_locked INTEGER NOT NULL,
  confirmed_by TEXT,
  confirmed_at INTEGER,
  closed_at INTEGER,
  cleared_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX incidents_source ON incidents (tenant_code, source_key) WHERE source_key IS NOT NULL;
-- What the list filters by stands in the index, so that rows are read only for what is shown.
CREATE INDEX incidents_order ON incidents (last_at, id, is_test, state, layer, tenant_code, site_ref);
CREATE INDEX incidents_merged ON incidents (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE incident_members (
  incident_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  layer TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  source TEXT NOT NULL,
  severity TEXT,
  is_test INTEGER NOT NULL,
  live INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (incident_id, event_id)
) STRICT, WITHOUT ROWID;
-- An event belongs to one group per layer.
CREATE UNIQUE INDEX incident_members_live ON incident_members (event_id, layer) WHERE live = 1;
CREATE INDEX incident_members_former ON incident_members (event_id) WHERE live = 0;
