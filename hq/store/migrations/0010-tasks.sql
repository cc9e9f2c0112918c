-- oldest-code: 1
create table tasks (
  id bigint not null,
  tenant_code text collate "C" not null,
  type text collate "C" not null,
  state text collate "C" not null,
  event_id bigint,
  title text not null,
  severity text collate "C" not null,
  assignee_org text collate "C",
  due_at bigint,
  suppressed boolean not null,
  escalated_at bigint,
  result_code text collate "C",
  body text not null,
  created_by text not null,
  created_at bigint not null,
  updated_at bigint not null,
  taken_over_at bigint,
  completed_at bigint,
  closed_at bigint,
  cancelled_at bigint,
  entry_count integer not null,
  step_count integer not null,
  note_count integer not null,
  refusal_count integer not null,
  primary key (tenant_code, id)
);
create index tasks_id on tasks (id);
create index tasks_event on tasks (event_id, id) where event_id is not null;
create index tasks_state on tasks (tenant_code, state, id);
create index tasks_due on tasks (due_at) where state = 'open' and due_at is not null;

-- Disposition evidence: appended, never changed.
create table task_entries (
  task_id bigint not null,
  seq integer not null,
  tenant_code text collate "C" not null,
  kind text collate "C" not null,
  at bigint not null,
  doc text not null,
  primary key (tenant_code, task_id, seq)
);

insert into counters (name, value, at) values ('task', 0, 0);
