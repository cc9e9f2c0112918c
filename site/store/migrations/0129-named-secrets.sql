-- oldest-code: 129
-- A program before it would read what references name on the machine, and could not open what is sealed for one use.
-- tenant_code is empty for a secret of no tenant.
CREATE TABLE secrets (
  tenant_code TEXT NOT NULL,
  name TEXT NOT NULL,
  use TEXT NOT NULL,
  host TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_code, name)
) STRICT, WITHOUT ROWID;
