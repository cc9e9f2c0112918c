-- oldest-code: 1
-- What the agent decided, once per event: a replayed event finds its row here.
create table agent_decisions (
  event_id bigint not null,
  tenant_code text collate "C" not null,
  outcome text collate "C" not null,
  rule_name text,
  rule_version integer,
  action text collate "C" not null,
  task_id bigint,
  note text,
  summary text collate "C",
  decided_at bigint not null,
  primary key (tenant_code, event_id)
);
create index agent_decisions_event on agent_decisions (event_id);
create index agent_decisions_summary on agent_decisions (event_id) where summary = 'pending';

-- Times of the agent's steady clock, which never falls.
create table agent_cooldowns (
  tenant_code text collate "C" not null,
  camera text collate "C" not null,
  event_type text collate "C" not null,
  rule_name text collate "C" not null,
  is_test boolean not null,
  until bigint not null,
  event_id bigint not null,
  primary key (tenant_code, camera, event_type, rule_name, is_test)
);
create index agent_cooldowns_until on agent_cooldowns (until);

create table agent_deadlines (
  task_id bigint not null,
  tenant_code text collate "C" not null,
  event_id bigint,
  rule_name text,
  channels text not null,
  message text not null,
  is_test boolean not null,
  state text collate "C" not null,
  escalate_at bigint not null,
  settled_at bigint,
  primary key (tenant_code, task_id)
);
create index agent_deadlines_task on agent_deadlines (task_id);
create index agent_deadlines_due on agent_deadlines (escalate_at) where state = 'pending';

-- Runs of events that may become incident groups; `pending` are members that are not written back yet.
create table agent_chains (
  tenant_code text collate "C" not null,
  source_key text collate "C" not null,
  layer text collate "C" not null,
  chain_key text collate "C" not null,
  site_ref text not null,
  point_ref text,
  first_at bigint not null,
  last_at bigint not null,
  last_camera text not null,
  traits text not null,
  size integer not null,
  ripe boolean not null,
  pending text not null,
  touched_at bigint not null,
  primary key (tenant_code, source_key)
);
create index agent_chains_key on agent_chains (tenant_code, layer, chain_key, last_at);
create index agent_chains_dirty on agent_chains (touched_at) where ripe and pending <> '[]';
create index agent_chains_touched on agent_chains (touched_at);

create table agent_states (
  name text collate "C" primary key,
  lease text collate "C",
  leased_until bigint not null,
  steady_at bigint not null
);
