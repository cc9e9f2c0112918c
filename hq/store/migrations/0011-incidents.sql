-- oldest-code: 1
create table incidents (
  id bigint not null,
  tenant_code text collate "C" not null,
  source_key text collate "C",
  layer text collate "C" not null,
  site_ref text collate "C" not null,
  point_ref text collate "C",
  title text,
  state text collate "C" not null,
  state_before text collate "C",
  merged_into bigint,
  split_from bigint,
  first_at bigint not null,
  last_at bigint not null,
  event_types text not null,
  sources text not null,
  severity text collate "C" not null,
  member_count integer not null,
  test_member_count integer not null,
  is_test boolean not null,
  first_event_id bigint,
  first_event_at bigint,
  first_locked boolean not null,
  confirmed_by text,
  confirmed_at bigint,
  closed_at bigint,
  cleared_count integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, source_key)
);
create index incidents_id on incidents (id);
-- What the list filters by stands in the indexes, so that rows are read only for what is shown.
create index incidents_order on incidents (last_at desc, id desc, is_test, state, layer, site_ref);
create index incidents_tenant_order on incidents (tenant_code, last_at desc, id desc, is_test, state, layer, site_ref);
create index incidents_merged on incidents (merged_into) where merged_into is not null;

create table incident_members (
  incident_id bigint not null,
  event_id bigint not null,
  tenant_code text collate "C" not null,
  layer text collate "C" not null,
  at bigint not null,
  type text collate "C" not null,
  source text collate "C" not null,
  severity text collate "C",
  is_test boolean not null,
  live boolean not null,
  added_at bigint not null,
  primary key (tenant_code, incident_id, event_id)
);
-- An event belongs to one group per layer.
create unique index incident_members_live on incident_members (tenant_code, event_id, layer) where live;
create index incident_members_event on incident_members (event_id);

insert into counters (name, value, at) values ('incident', 0, 0);
