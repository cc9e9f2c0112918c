-- oldest-code: 18
-- The event that one was merged into, by its identity: a site may merge into one that has not come here.
alter table verdicts add column merged_into_key text collate "C", add column merged_into_instance text collate "C";
alter table corrections add column merged_into_key text collate "C", add column merged_into_instance text collate "C";
update verdicts v set merged_into_key = e.idempotency_key, merged_into_instance = e.instance from events e where e.id = v.merged_into;
update corrections c set merged_into_key = e.idempotency_key, merged_into_instance = e.instance from events e where e.id = c.merged_into;

-- What a site must understand to carry a decision out; null: any does.
alter table decisions add column needs text collate "C";
create index decisions_refused on decisions (instance) where state = 'refused';

-- Names under which a site was known before.
alter table sites add column continues text[] not null default '{}';

-- last_received_at is of calls that brought something, heard_at of every call.
alter table sources add column heard_at bigint, add column conflict_total bigint not null default 0;
update sources set heard_at = last_received_at;

-- Where an event arose that retention deleted; null on those deleted before: not known. Of headquarters' own the instance is ''.
alter table forgotten_events add column instance text collate "C", add column origin_id bigint, add column origin_received_at bigint;

-- Events that were not stored, because their key is of another event.
create table event_conflicts (
  tenant_code text collate "C" not null,
  idempotency_key text collate "C" not null,
  instance text collate "C" not null,
  origin_id bigint not null,
  type text collate "C" not null,
  severity text collate "C",
  occurred_at bigint,
  received_at bigint not null,
  held_by text collate "C",
  held_id bigint not null,
  first_at bigint not null,
  last_at bigint not null,
  count bigint not null,
  primary key (tenant_code, instance, idempotency_key)
);
create index event_conflicts_last on event_conflicts (instance, last_at);
