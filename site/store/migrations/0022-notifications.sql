-- oldest-code: 1
CREATE TABLE notifications (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  event_id INTEGER,
  task_id INTEGER,
  kind TEXT NOT NULL,
  channel TEXT NOT NULL,
  channel_id TEXT,
  rule_name TEXT,
  severity TEXT NOT NULL,
  message TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX notifications_due ON notifications (next_at) WHERE state = 'pending';
CREATE INDEX notifications_failed ON notifications (seq) WHERE state = 'failed';
CREATE INDEX notifications_tenant ON notifications (tenant_code, seq);
CREATE INDEX notifications_event ON notifications (event_id, seq) WHERE event_id IS NOT NULL;

CREATE TABLE channels (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL,
  format TEXT NOT NULL,
  url_ref TEXT NOT NULL,
  url_host TEXT NOT NULL,
  secret_ref TEXT,
  recipients TEXT NOT NULL,
  body_template TEXT,
  content_type TEXT,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_code, name)
) STRICT;
