-- oldest-code: 1
-- Text is compared by its bytes, as on a site, whatever the database's own collation.
-- An event is never changed: verdicts and corrections stand in tables of their own.
-- Unique keys lead with tenant_code, so that the tables can be partitioned or distributed by tenant.
-- The exceptions are small tables of the whole installation, and audit, which would be divided by time.

create table events (
  id bigint not null,
  tenant_code text collate "C" not null,
  idempotency_key text collate "C" not null,
  type text collate "C" not null,
  kind text collate "C" not null,
  source text collate "C" not null,
  severity text collate "C",
  occurred_at bigint,
  received_at bigint not null,
  is_test boolean not null,
  node_key text collate "C",
  instance text collate "C",
  origin_id bigint,
  origin_received_at bigint,
  doc text not null,
  primary key (tenant_code, id),
  unique (tenant_code, idempotency_key)
);
create index events_id on events (id);
create index events_origin on events (instance, origin_id);

create table verdicts (
  event_id bigint not null,
  tenant_code text collate "C" not null,
  verdict text collate "C" not null,
  by text not null,
  by_kind text collate "C" not null,
  note text,
  merged_into bigint,
  judged text,
  disposition text,
  at bigint not null,
  decision_id text collate "C",
  primary key (tenant_code, event_id)
);
create index verdicts_event on verdicts (event_id);
create index verdicts_value on verdicts (tenant_code, verdict, event_id);

create table corrections (
  seq bigint not null,
  id text collate "C" not null,
  event_id bigint not null,
  tenant_code text collate "C" not null,
  verdict text collate "C" not null,
  by text not null,
  by_kind text collate "C" not null,
  note text not null,
  merged_into bigint,
  at bigint not null,
  primary key (tenant_code, id)
);
create index corrections_event on corrections (event_id, seq);

create table verdict_changes (
  change_no bigint not null,
  at bigint not null,
  event_id bigint not null,
  tenant_code text collate "C" not null,
  kind text collate "C" not null,
  decision_id text collate "C",
  body text not null,
  primary key (tenant_code, change_no)
);
create index verdict_changes_number on verdict_changes (change_no);
create index verdict_changes_event on verdict_changes (event_id);
create unique index verdict_changes_decision on verdict_changes (tenant_code, decision_id) where decision_id is not null;

create table subscriptions (
  consumer text collate "C" primary key,
  tenant_code text collate "C",
  event_types text,
  min_severity text collate "C",
  push_url text,
  secret_ref text,
  enabled boolean not null,
  cursor bigint not null,
  push_cursor bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table keys (
  key_id text collate "C" primary key,
  purpose text collate "C" not null,
  tenant_code text collate "C",
  subject text not null,
  secret_ref text not null,
  previous_ref text,
  previous_until bigint,
  created_at bigint not null,
  removed_at bigint
);

create table feedback (
  id text collate "C" not null,
  event_id bigint not null,
  tenant_code text collate "C" not null,
  kind text collate "C" not null,
  url text not null,
  node_key text collate "C",
  body text not null,
  state text collate "C" not null,
  attempts integer not null,
  next_at bigint not null,
  last_error text,
  created_at bigint not null,
  delivered_at bigint,
  primary key (tenant_code, id)
);
create index feedback_id on feedback (id);
create index feedback_event on feedback (event_id);
create index feedback_due on feedback (next_at) where state = 'pending';
create index feedback_expired on feedback (state) where state = 'expired';

create table audit (
  id text collate "C" not null,
  at bigint not null,
  actor text not null,
  action text collate "C" not null,
  subject text collate "C" not null,
  tenant_code text collate "C",
  before text,
  after text,
  primary key (at, id)
);
create index audit_subject on audit (subject, at);
create index audit_tenant on audit (tenant_code, at);

create table alarms (
  key text collate "C" not null,
  instance text collate "C" not null,
  tenant_code text collate "C",
  severity text collate "C" not null,
  message text not null,
  details text,
  raised_at bigint not null,
  count integer not null,
  last_at bigint not null,
  cleared_at bigint,
  primary key (instance, key)
);

create table counters (
  name text collate "C" primary key,
  value bigint not null,
  at bigint not null
);
insert into counters (name, value, at) values ('event', 0, 0), ('verdict_change', 0, 0);

create table store_facts (
  name text collate "C" primary key,
  value text not null
);

create table sites (
  instance text collate "C" primary key,
  tenants text[] not null,
  created_at bigint not null,
  removed_at bigint,
  last_seen_at bigint,
  version text
);

create table sources (
  instance text collate "C" not null,
  epoch text collate "C" not null,
  channel text collate "C" not null,
  cursor bigint not null,
  received_total bigint not null,
  duplicate_total bigint not null,
  rejected_total bigint not null,
  last_received_at bigint,
  primary key (instance, epoch, channel)
);

create table decisions (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  instance text collate "C" not null,
  event_id bigint not null,
  change_no bigint not null,
  kind text collate "C" not null,
  body text not null,
  state text collate "C" not null,
  created_at bigint not null,
  settled_at bigint,
  note text,
  primary key (tenant_code, id)
);
create index decisions_id on decisions (instance, id);
create index decisions_pending on decisions (instance, change_no) where state = 'pending';
create index decisions_event on decisions (event_id);
