-- oldest-code: 17
CREATE TABLE "task_days" (
	"tenant_code" text collate "C" NOT NULL,
	"start_at" bigint NOT NULL,
	"group_key" text collate "C" NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "task_days_tenant_code_start_at_group_key_pk" PRIMARY KEY("tenant_code","start_at","group_key")
);
CREATE TABLE "task_stale" (
	"tenant_code" text collate "C" NOT NULL,
	"task_id" bigint NOT NULL,
	CONSTRAINT "task_stale_tenant_code_task_id_pk" PRIMARY KEY("tenant_code","task_id")
);
delete from task_facts;
ALTER TABLE "task_facts" ADD COLUMN "created_at" bigint NOT NULL;
ALTER TABLE "task_facts" ADD COLUMN "due_at" bigint;
ALTER TABLE "task_facts" ADD COLUMN "group_key" text collate "C" NOT NULL;
CREATE INDEX "task_facts_created" ON "task_facts" USING btree ("tenant_code","created_at");
ALTER TABLE "event_index_progress" DROP COLUMN "tasks_upto";
ALTER TABLE "task_facts" DROP COLUMN "event_source";
ALTER TABLE "task_facts" DROP COLUMN "event_test";
create index task_facts_due on task_facts (tenant_code, due_at) include (created_at, group_key, task_id) where due_at is not null;
create function mark_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into task_stale (tenant_code, task_id)
    select n.tenant_code, n.id
    from new_rows n join old_rows o on o.tenant_code = n.tenant_code and o.id = n.id
    where (n.type, n.state, n.event_id, n.due_at, n.instance, n.created_at, n.escalated_at is null)
      is distinct from
      (o.type, o.state, o.event_id, o.due_at, o.instance, o.created_at, o.escalated_at is null)
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  elsif tg_op = 'INSERT' then
    insert into task_stale (tenant_code, task_id) select tenant_code, id from new_rows
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  else
    insert into task_stale (tenant_code, task_id) select tenant_code, id from old_rows
    order by 1, 2 on conflict (tenant_code, task_id) do update set task_id = excluded.task_id;
  end if;
  return null;
end $$;
create trigger tasks_come after insert on tasks
  referencing new table as new_rows for each statement execute function mark_tasks();
create trigger tasks_change after update on tasks
  referencing old table as old_rows new table as new_rows for each statement execute function mark_tasks();
create trigger tasks_go after delete on tasks
  referencing old table as old_rows for each statement execute function mark_tasks();
-- Every task is counted once more, by the rounds of the index.
insert into task_stale (tenant_code, task_id) select tenant_code, id from tasks;
drop index tasks_created;
