-- oldest-code: 1
CREATE TABLE push_states (
  consumer TEXT NOT NULL PRIMARY KEY,
  failures INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  last_error TEXT,
  last_success_at INTEGER,
  receipt_faults INTEGER NOT NULL,
  last_receipt_fault TEXT,
  lease TEXT,
  leased_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence_files (
  tenant_code TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  stored_at INTEGER NOT NULL,
  PRIMARY KEY (event_id, name)
) STRICT, WITHOUT ROWID;
-- The sum of all sizes is read at each upload.
CREATE INDEX evidence_files_size ON evidence_files (size);

CREATE TABLE evidence_jobs (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  consumer TEXT NOT NULL,
  put_url TEXT NOT NULL,
  headers TEXT NOT NULL,
  state TEXT NOT NULL,
  last_error TEXT,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX evidence_jobs_due ON evidence_jobs (next_at) WHERE state = 'pending';
CREATE INDEX evidence_jobs_file ON evidence_jobs (event_id, name) WHERE state = 'pending';
CREATE INDEX evidence_jobs_created ON evidence_jobs (created_at, id);
CREATE INDEX evidence_jobs_failed ON evidence_jobs (id) WHERE state = 'failed';
