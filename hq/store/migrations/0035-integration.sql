-- oldest-code: 1
-- Open clients, their tokens, webhooks and what is delivered to them (hq/integration). Times are epoch ms.
create table open_clients (
  tenant_code text collate "C" not null,
  client_id text collate "C" not null,
  name text not null,
  secret_sha256 text collate "C" not null,
  -- The secret before the last rotation, accepted until previous_until.
  previous_sha256 text collate "C",
  previous_until bigint,
  status text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_code, client_id)
);
create index open_clients_id on open_clients (client_id);
create index open_clients_list on open_clients (created_at desc, client_id desc);

create table open_tokens (
  tenant_code text collate "C" not null,
  sha256 text collate "C" not null,
  client_id text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant_code, sha256),
  foreign key (tenant_code, client_id) references open_clients (tenant_code, client_id) on delete cascade
);
create index open_tokens_sha256 on open_tokens (sha256);
create index open_tokens_client on open_tokens (tenant_code, client_id);
create index open_tokens_expiry on open_tokens (expires_at);

-- Failed token requests, by client and address and by address alone.
create table open_failures (
  scope text collate "C" primary key,
  failures integer not null,
  since bigint not null
);
create index open_failures_since on open_failures (since);

create table webhooks (
  tenant_code text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  url text not null,
  -- 'all' or one event type.
  events text collate "C" not null,
  status text collate "C" not null,
  secret_ref text not null,
  previous_ref text,
  previous_until bigint,
  -- Attempts that failed in a row.
  failures integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  removed_at bigint,
  primary key (tenant_code, id)
);
create index webhooks_id on webhooks (id);
create index webhooks_list on webhooks (created_at desc, id desc) where removed_at is null;

create table business_events (
  tenant_code text collate "C" not null,
  id text collate "C" not null,
  event text collate "C" not null,
  -- The bytes that are signed and sent, as they were first written.
  body text not null,
  core_event_id bigint,
  at bigint not null,
  primary key (tenant_code, id)
);
create index business_events_time on business_events (tenant_code, at);
create index business_events_age on business_events (at);
create index business_events_core on business_events (core_event_id) where core_event_id is not null;

create table webhook_deliveries (
  tenant_code text collate "C" not null,
  id text collate "C" not null,
  webhook_id text collate "C" not null,
  event_id text collate "C" not null,
  event text collate "C" not null,
  status text collate "C" not null,
  attempts integer not null,
  response_code integer,
  response_body text,
  last_error text,
  -- When the next attempt is due, while pending.
  next_at bigint not null,
  -- Who is sending it, and until when that is believed.
  claim text collate "C",
  claimed_until bigint,
  created_at bigint not null,
  last_attempt_at bigint,
  settled_at bigint,
  primary key (tenant_code, id),
  foreign key (tenant_code, event_id) references business_events (tenant_code, id) on delete cascade
);
create index webhook_deliveries_id on webhook_deliveries (id);
create index webhook_deliveries_event on webhook_deliveries (tenant_code, event_id);
create index webhook_deliveries_recent on webhook_deliveries (tenant_code, webhook_id, created_at desc, id desc);
-- What waits is few; finished rows are not in it.
create index webhook_deliveries_due on webhook_deliveries (tenant_code, webhook_id, next_at) where status = 'pending';
create index webhook_deliveries_overdue on webhook_deliveries (next_at) where status = 'pending';
create index webhook_deliveries_settled on webhook_deliveries (settled_at) where settled_at is not null;
