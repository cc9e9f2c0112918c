-- oldest-code: 1
-- Every version of every rule; the newest of a tenant, kind and name is in force. Names are ordered by their bytes, as at a site.
create table rules (
  tenant_code text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  body text not null,
  by text not null,
  created_at bigint not null,
  primary key (tenant_code, kind, name, version)
);
