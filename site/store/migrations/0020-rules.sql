-- oldest-code: 1
-- Every version of every rule; the newest of a tenant, kind and name is in force.
CREATE TABLE rules (
  tenant_code TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_code, kind, name, version)
) STRICT, WITHOUT ROWID;
