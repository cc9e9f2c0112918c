-- oldest-code: 129
-- A program before it would read what references name on the machine, and could not open what is sealed for one use.
-- tenant_code is empty for a secret of no tenant.
create table secrets (
  tenant_code text not null,
  name text not null,
  use text not null,
  host text not null,
  sealed text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_code, name)
);
