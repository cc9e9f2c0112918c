-- oldest-code: 1
-- What the agent decided, once per event: a replayed event finds its row here.
CREATE TABLE agent_decisions (
  event_id INTEGER NOT NULL PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  outcome TEXT NOT NULL,
  rule_name TEXT,
  rule_version INTEGER,
  action TEXT NOT NULL,
  task_id INTEGER,
  note TEXT,
  summary TEXT,
  decided_at INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_decisions_summary ON agent_decisions (event_id) WHERE summary = 'pending';
CREATE INDEX agent_decisions_tenant ON agent_decisions (tenant_code, event_id);

-- Times of the agent's steady clock, which never falls.
CREATE TABLE agent_cooldowns (
  tenant_code TEXT NOT NULL,
  camera TEXT NOT NULL,
  event_type TEXT NOT NULL,
  rule_name TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  until INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  PRIMARY KEY (tenant_code, camera, event_type, rule_name, is_test)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_cooldowns_until ON agent_cooldowns (until);

CREATE TABLE agent_deadlines (
  task_id INTEGER NOT NULL PRIMARY KEY,
  tenant_code TEXT NOT NULL,
  event_id INTEGER,
  rule_name TEXT,
  channels TEXT NOT NULL,
  message TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  state TEXT NOT NULL,
  escalate_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE INDEX agent_deadlines_due ON agent_deadlines (escalate_at) WHERE state = 'pending';

-- Runs of events that may become incident groups; `pending` are members that are not written back yet.
CREATE TABLE agent_chains (
  tenant_code TEXT NOT NULL,
  source_key TEXT NOT NULL,
  layer TEXT NOT NULL,
  chain_key TEXT NOT NULL,
  site_ref TEXT NOT NULL,
  point_ref TEXT,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_camera TEXT NOT NULL,
  traits TEXT NOT NULL,
  size INTEGER NOT NULL,
  ripe INTEGER NOT NULL,
  pending TEXT NOT NULL,
  touched_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_code, source_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_chains_key ON agent_chains (tenant_code, layer, chain_key, last_at);
CREATE INDEX agent_chains_dirty ON agent_chains (touched_at) WHERE ripe = 1 AND pending <> '[]';
CREATE INDEX agent_chains_touched ON agent_chains (touched_at);

CREATE TABLE agent_states (
  name TEXT NOT NULL PRIMARY KEY,
  lease TEXT,
  leased_until INTEGER NOT NULL,
  steady_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
