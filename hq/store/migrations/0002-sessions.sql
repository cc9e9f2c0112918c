-- oldest-code: 1
create table users (
  name text collate "C" primary key,
  role text collate "C" not null,
  tenant_code text collate "C",
  permissions text,
  password_hash text not null,
  disabled_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);

create table sessions (
  id text collate "C" primary key,
  token_hash text collate "C" not null unique,
  user_name text collate "C" not null,
  role text collate "C" not null,
  tenant_code text collate "C",
  permissions text,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  ip text not null,
  user_agent text
);
create index sessions_user on sessions (user_name);
create index sessions_expiry on sessions (expires_at);

create table login_attempts (
  scope text collate "C" primary key,
  failures integer not null,
  last_at bigint not null,
  blocked_until bigint not null
);
create index login_attempts_last on login_attempts (last_at);
