-- oldest-code: 1
create table notifications (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  seq bigint not null,
  event_id bigint,
  task_id bigint,
  kind text collate "C" not null,
  channel text collate "C" not null,
  channel_id text collate "C",
  rule_name text,
  severity text collate "C" not null,
  message text not null,
  is_test boolean not null,
  state text collate "C" not null,
  attempts integer not null,
  next_at bigint not null,
  last_error text,
  created_at bigint not null,
  settled_at bigint,
  primary key (tenant_code, id)
);
create index notifications_id on notifications (id);
create index notifications_seq on notifications (seq);
create index notifications_due on notifications (next_at) where state = 'pending';
create index notifications_failed on notifications (seq) where state = 'failed';
create index notifications_tenant on notifications (tenant_code, seq);
create index notifications_event on notifications (event_id, seq) where event_id is not null;

create table channels (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  name text collate "C" not null,
  channel text collate "C" not null,
  format text collate "C" not null,
  url_ref text not null,
  url_host text not null,
  secret_ref text,
  recipients text not null,
  body_template text,
  content_type text,
  enabled boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, name)
);
create index channels_id on channels (id);

insert into counters (name, value, at) values ('notification', 0, 0);
