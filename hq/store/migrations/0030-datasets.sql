-- oldest-code: 1
-- Business systems that datasets are pulled from (hq/dataset).
create table dataset_sources (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  name text collate "C" not null,
  base_url text not null,
  key_id text collate "C" not null,
  secret_ref text not null,
  schedule text not null,
  enabled boolean not null,
  page_rows integer not null,
  overlap_ms integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  next_run_at bigint,
  failures integer not null,
  last_error text,
  -- Token of the process that pulls now.
  lease text collate "C",
  leased_until bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, name)
);
create index dataset_sources_id on dataset_sources (id);
create index dataset_sources_due on dataset_sources (next_run_at) where enabled;

create table source_datasets (
  tenant_code text collate "C" not null,
  source_id text collate "C" not null,
  dataset text collate "C" not null,
  processor text collate "C" not null,
  contract text,
  offered text,
  mode text collate "C" not null,
  -- "<update time with microseconds>|<primary key>", never taken apart into a number.
  cursor text collate "C",
  run_cursor text collate "C",
  generation integer not null,
  completed_at bigint,
  run_started_at bigint,
  run_ended_at bigint,
  run_rows bigint not null,
  as_of text collate "C",
  last_success_at bigint,
  last_error text,
  failures integer not null,
  rows_total bigint not null,
  changed_total bigint not null,
  duplicate_total bigint not null,
  primary key (tenant_code, source_id, dataset)
);
create unique index source_datasets_processor on source_datasets (tenant_code, processor) where processor <> 'none';

-- Rows as they landed; a deleted one stays as its marker, so that an older copy of it does not come back.
create table dataset_rows (
  tenant_code text collate "C" not null,
  source_id text collate "C" not null,
  dataset text collate "C" not null,
  pk text collate "C" not null,
  -- UTC with six digits of fraction: in the order of its bytes.
  updated_at text collate "C" not null,
  deleted boolean not null,
  generation integer not null,
  fields text not null,
  primary key (tenant_code, source_id, dataset, pk)
);
