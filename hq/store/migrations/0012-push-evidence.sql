-- oldest-code: 1
create table push_states (
  consumer text collate "C" primary key,
  failures integer not null,
  next_at bigint not null,
  last_error text,
  last_success_at bigint,
  receipt_faults integer not null,
  last_receipt_fault text,
  lease text collate "C",
  leased_until bigint not null
);

create table evidence_files (
  tenant_code text collate "C" not null,
  event_id bigint not null,
  name text collate "C" not null,
  size bigint not null,
  sha256 text collate "C" not null,
  stored_at bigint not null,
  primary key (tenant_code, event_id, name)
);
-- The sum of all sizes is read at each upload.
create index evidence_files_size on evidence_files (size);

create table evidence_jobs (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  event_id bigint not null,
  name text collate "C" not null,
  consumer text collate "C" not null,
  put_url text not null,
  headers text not null,
  state text collate "C" not null,
  last_error text,
  attempts integer not null,
  next_at bigint not null,
  created_at bigint not null,
  settled_at bigint,
  primary key (tenant_code, id)
);
create index evidence_jobs_id on evidence_jobs (id);
create index evidence_jobs_due on evidence_jobs (next_at) where state = 'pending';
create index evidence_jobs_file on evidence_jobs (event_id, name) where state = 'pending';
create index evidence_jobs_created on evidence_jobs (created_at, id);
create index evidence_jobs_failed on evidence_jobs (id) where state = 'failed';
