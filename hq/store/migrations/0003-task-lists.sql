-- oldest-code: 1
DROP INDEX "tasks_created";
CREATE INDEX "tasks_org" ON "tasks" USING btree ("tenant_code","assignee_org","id")
		WHERE assignee_org is not null;
create index tasks_created on tasks (tenant_code, created_at) include (id, type, state, due_at, escalated_at, event_id);
