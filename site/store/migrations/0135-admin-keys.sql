-- oldest-code: 14
-- Named admin keys. The key of the configuration has a row without a digest, for its last use.
CREATE TABLE admin_keys (
  name TEXT NOT NULL PRIMARY KEY,
  secret_hash TEXT UNIQUE,
  previous_hash TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  last_used_at INTEGER,
  last_used_from TEXT,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
