-- oldest-code: 1
-- AUTOINCREMENT: an id is never given again, also after the newest task was removed.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_code TEXT NOT NULL,
  type TEXT NOT NULL,
  state TEXT NOT NULL,
  event_id INTEGER,
  title TEXT NOT NULL,
  severity TEXT NOT NULL,
  assignee_org TEXT,
  due_at INTEGER,
  suppressed INTEGER NOT NULL,
  escalated_at INTEGER,
  result_code TEXT,
  body TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  taken_over_at INTEGER,
  completed_at INTEGER,
  closed_at INTEGER,
  cancelled_at INTEGER,
  entry_count INTEGER NOT NULL,
  step_count INTEGER NOT NULL,
  note_count INTEGER NOT NULL,
  refusal_count INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_event ON tasks (event_id, id) WHERE event_id IS NOT NULL;
CREATE INDEX tasks_state ON tasks (tenant_code, state, id);
CREATE INDEX tasks_due ON tasks (due_at) WHERE state = 'open' AND due_at IS NOT NULL;

-- Disposition evidence: appended, never changed.
CREATE TABLE task_entries (
  task_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  tenant_code TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (task_id, seq)
) STRICT, WITHOUT ROWID;
