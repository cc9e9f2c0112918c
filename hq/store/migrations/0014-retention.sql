-- oldest-code: 14
-- What retention has done and what stands in its way: one row, see common/core/retention/record.ts.
create table retention (
  name text collate "C" primary key,
  state text not null
);

-- Events that retention deleted: their idempotency keys stay one event for ever.
create table forgotten_events (
  event_id bigint not null,
  tenant_code text collate "C" not null,
  idempotency_key text collate "C" not null,
  primary key (tenant_code, idempotency_key)
);
create index forgotten_events_id on forgotten_events (event_id);
create index evidence_files_event on evidence_files (event_id);

insert into retention (name, state) values ('all', '{}');
