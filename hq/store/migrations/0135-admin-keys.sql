-- oldest-code: 14
-- Named admin keys. The key of the configuration has a row without a digest, for its last use.
create table admin_keys (
  name text collate "C" primary key,
  secret_hash text collate "C" unique,
  previous_hash text collate "C",
  previous_until bigint,
  created_at bigint not null,
  created_by text not null,
  last_used_at bigint,
  last_used_from text,
  removed_at bigint
);
