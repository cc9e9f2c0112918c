-- oldest-code: 14
-- What retention has done and what stands in its way: one row, see common/core/retention/record.ts.
CREATE TABLE retention (
  name TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Idempotency keys of deleted events, which stay one event for ever: the hash by which the key index
-- knows them, and a digest to tell keys of the same hash apart; see forgotten-keys.ts.
CREATE TABLE forgotten_keys (
  event_id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;
