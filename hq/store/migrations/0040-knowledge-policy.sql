-- oldest-code: 1
-- Knowledge objects (hq/knowledge).
create table knowledge (
  id bigint not null,
  tenant_code text collate "C" not null,
  src_system text collate "C" not null,
  src_pk text collate "C" not null,
  title text not null,
  kind text collate "C" not null,
  source_ref text not null,
  -- Top-level members of source_ref as "key=value", what lists search by.
  refs text[] collate "C" not null,
  event_id bigint,
  security_level text collate "C" not null,
  version integer not null,
  valid_until bigint,
  body text not null,
  machine_generated boolean not null,
  created_by text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, src_system, src_pk)
);
create index knowledge_id on knowledge (id);
create index knowledge_time on knowledge (created_at desc, id desc);
create index knowledge_tenant_time on knowledge (tenant_code, created_at desc, id desc);
create index knowledge_event on knowledge (tenant_code, event_id, id) where event_id is not null;
create index knowledge_refs on knowledge using gin (refs);

-- What each revision left, the first version among them; appended, never changed.
create table knowledge_revisions (
  tenant_code text collate "C" not null,
  knowledge_id bigint not null,
  version integer not null,
  body text not null,
  changed text not null,
  by text not null,
  note text,
  at bigint not null,
  primary key (tenant_code, knowledge_id, version)
);

-- The policy library (hq/policy). Levels are ranks: 0 public, 1 internal, 2 confidential, 3 secret.
create table kb_docs (
  id bigint not null,
  tenant_code text collate "C" not null,
  -- The versions of one policy: the id of the first.
  policy_id bigint not null,
  src_system text collate "C" not null,
  src_key text collate "C" not null,
  title text not null,
  doc_no text,
  version text not null,
  effective_date text collate "C",
  expiry_date text collate "C",
  -- The dates as moments of Beijing time: [valid_from, valid_until), epoch ms; never null, so that filters need no case for it.
  valid_from bigint not null,
  valid_until bigint not null,
  level smallint not null,
  file_name text,
  content_type text collate "C",
  size bigint,
  sha256 text collate "C",
  stored_at bigint,
  supersedes bigint,
  superseded_by bigint,
  status text collate "C" not null,
  reason text,
  parse_note text,
  parsing_since bigint,
  effective_at bigint,
  chunk_count integer not null,
  chunks_sha256 text collate "C",
  created_by text not null,
  created_at bigint not null,
  updated_at bigint not null,
  change_no bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, src_key)
);
create index kb_docs_id on kb_docs (id);
create index kb_docs_change on kb_docs (change_no);
create unique index kb_docs_effective on kb_docs (tenant_code, policy_id) where status = 'effective';
create index kb_docs_policy on kb_docs (tenant_code, policy_id, id);
create index kb_docs_pending on kb_docs (id) where status in ('uploaded', 'parsing');

create table kb_chunks (
  id bigint not null,
  tenant_code text collate "C" not null,
  doc_id bigint not null,
  seq integer not null,
  clause_path text,
  page integer,
  text text not null,
  text_sha256 text collate "C" not null,
  -- float32, little-endian.
  embedding bytea,
  embed_model text collate "C",
  dim integer,
  change_no bigint not null,
  primary key (tenant_code, id),
  unique (tenant_code, doc_id, seq)
);
create index kb_chunks_id on kb_chunks (id);
create index kb_chunks_change on kb_chunks (change_no);
alter table kb_chunks alter column embedding set storage external;

-- What went from the feed: all earlier chunks of a file, or everything of a tenant (doc_id null).
create table kb_changes (
  change_no bigint not null,
  tenant_code text collate "C" not null,
  doc_id bigint,
  at bigint not null,
  primary key (tenant_code, change_no)
);
create index kb_changes_no on kb_changes (change_no);

create table kb_clearance (
  tenant_code text collate "C" not null,
  subject text collate "C" not null,
  level smallint not null,
  granted_by text not null,
  granted_at bigint not null,
  primary key (tenant_code, subject)
);

create table kb_qa_log (
  id bigint not null,
  tenant_code text collate "C" not null,
  asker text collate "C" not null,
  question text not null,
  answer text,
  refusal_reason text,
  citations text not null,
  -- Highest level of what is cited.
  level smallint not null,
  basis_version text,
  index_version text,
  duration_ms integer,
  feedback text collate "C",
  feedback_note text,
  feedback_at bigint,
  created_by text not null,
  created_at bigint not null,
  primary key (tenant_code, id)
);
create index kb_qa_log_id on kb_qa_log (id);
create index kb_qa_log_asker on kb_qa_log (tenant_code, asker, id);
create index kb_qa_log_time on kb_qa_log (tenant_code, created_at);

-- Days that rows of a scope are kept, by tenant; without a row nothing is deleted.
create table retention_scopes (
  tenant_code text collate "C" not null,
  scope text collate "C" not null,
  days integer not null,
  set_by text not null,
  set_at bigint not null,
  deleted_total bigint not null,
  primary key (tenant_code, scope)
);

-- Targeted deletions: the rows are gone with this entry, the originals after it.
create table kb_deletions (
  id text collate "C" not null,
  tenant_code text collate "C" not null,
  -- Originals of later files are not its.
  upto_doc_id bigint not null,
  counts text not null,
  requested_by text not null,
  requested_at bigint not null,
  finished_at bigint,
  primary key (tenant_code, id)
);
create index kb_deletions_open on kb_deletions (requested_at) where finished_at is null;

insert into counters (name, value, at) values ('knowledge', 0, 0), ('kb_doc', 0, 0), ('kb_chunk', 0, 0), ('kb_qa', 0, 0), ('kb_change', 0, 0);
