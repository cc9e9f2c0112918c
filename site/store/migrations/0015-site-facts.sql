-- oldest-code: 14
-- What a technician sees of the last two days: one row for each five minutes in which the site ran.
CREATE TABLE history (
  at INTEGER PRIMARY KEY,
  received INTEGER NOT NULL,
  backlog INTEGER NOT NULL,
  room INTEGER
) STRICT;

-- When each node last brought an event, up to meta `history_upto`.
CREATE TABLE node_activity (
  key_id TEXT NOT NULL PRIMARY KEY,
  last_at INTEGER NOT NULL,
  events INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a short disk has cost, one row; see site/retention/budget.ts.
CREATE TABLE disk (
  name TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
