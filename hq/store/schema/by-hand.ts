// What drizzle cannot say of the tables, as SQL. `npm run schema` adds to a migration what is new here; what
// is changed or removed here, its author brings over by hand.

/** By a name of its own each, in the order in which they are run, after all tables are there. */
export const statements: Readonly<Record<string, string>> = {
  // Columns carried beside what an index is ordered by.
  event_facts_key: 'alter table event_facts add primary key (tenant_code, event_id) include (group_id)',
  event_facts_group:
    'create index event_facts_group on event_facts (group_id, event_id) include (occurred_at)',
  event_facts_place: 'create index event_facts_place on event_facts (place_id, event_id) include (group_id)',
  event_facts_time:
    'create index event_facts_time on event_facts (tenant_code, occurred_at) include (group_id, place_id)',
  // The last parts, which have no end; more are made ahead (partition/partitions.ts).
  events_first: 'create table events_first partition of events for values from (minvalue) to (maxvalue)',
  event_facts_first:
    'create table event_facts_first partition of event_facts for values from (minvalue) to (maxvalue)',
  // Those that were deleted one by one; of a part that went whole they have a part of their own.
  forgotten_events_rest: 'create table forgotten_events_rest partition of forgotten_events default',
  milestones_project:
    'create index milestones_project on milestones (tenant_code, project_id) include (status)',
  task_facts_due:
    'create index task_facts_due on task_facts (tenant_code, due_at) ' +
    'include (created_at, group_key, task_id) where due_at is not null',

  // Vectors do not compress.
  kb_chunks_embedding: 'alter table kb_chunks alter column embedding set storage external',

  // Whatever deletes such a row, retention or a rebuild, leaves the marker in the same transaction.
  served_deletion: `create function served_deletion() returns trigger language plpgsql as $$
begin
  insert into served_deletions (tenant_code, dataset, id, updated_at)
  values (old.tenant_code, tg_argv[0], old.id, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  on conflict (tenant_code, dataset, id) do update set updated_at = excluded.updated_at;
  return null;
end $$`,
  incidents_served: `create trigger incidents_served after delete on incidents
  for each row execute function served_deletion('incident_groups')`,
  tasks_served: `create trigger tasks_served after delete on tasks
  for each row execute function served_deletion('tasks')`,

  // What processes keep in memory is told to be changed in the transaction that changes it (engine/news.ts).
  site_news: `create function site_news(name text) returns void language sql as $$
  select pg_notify('fieldline_news', 'site ' || name);
  select pg_notify('fieldline_news', 'site ' || instance) from sites
    where continues @> array[name] and removed_at is null;
$$`,
  key_changed: `create function key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldline_news', 'key ' || coalesce(new.key_id, old.key_id));
  return null;
end $$`,
  site_changed: `create function site_changed() returns trigger language plpgsql as $$
begin
  perform site_news(coalesce(new.instance, old.instance));
  return null;
end $$`,
  keys_news: `create trigger keys_news after insert or update or delete on keys
  for each row execute function key_changed()`,
  sites_news: `create trigger sites_news after insert or delete or update of tenants, continues, removed_at
  on sites for each row execute function site_changed()`,
  // What is open for a site stands in its inbox as long as it is, whatever writes, settles or deletes it.
  inbox_put: `create function inbox_put() returns trigger language plpgsql as $$
begin
  insert into inbox (instance, kind, tenant_code, id)
    values (new.instance, tg_argv[0], new.tenant_code, new.id)
    on conflict (tenant_code, kind, id) do nothing;
  perform site_news(new.instance);
  return null;
end $$`,
  inbox_end: `create function inbox_end() returns trigger language plpgsql as $$
begin
  delete from inbox where tenant_code = old.tenant_code and kind = tg_argv[0] and id = old.id;
  return null;
end $$`,
  decisions_open: `create trigger decisions_open after insert on decisions for each row
  when (new.state = 'pending') execute function inbox_put('decision')`,
  decisions_settled: `create trigger decisions_settled after update of state on decisions for each row
  when (old.state = 'pending' and new.state <> 'pending') execute function inbox_end('decision')`,
  decisions_gone: `create trigger decisions_gone after delete on decisions for each row
  when (old.state = 'pending') execute function inbox_end('decision')`,
  site_orders_open: `create trigger site_orders_open after insert on site_orders for each row
  when (new.state = 'pending') execute function inbox_put('order')`,
  site_orders_settled: `create trigger site_orders_settled after update of state on site_orders for each row
  when (old.state = 'pending' and new.state <> 'pending') execute function inbox_end('order')`,
  site_orders_gone: `create trigger site_orders_gone after delete on site_orders for each row
  when (old.state = 'pending') execute function inbox_end('order')`,
  group_orders_open: `create trigger group_orders_open after insert on group_orders for each row
  when (new.state = 'pending') execute function inbox_put('group_order')`,
  group_orders_settled: `create trigger group_orders_settled after update of state on group_orders
  for each row when (old.state = 'pending' and new.state <> 'pending')
  execute function inbox_end('group_order')`,
  group_orders_gone: `create trigger group_orders_gone after delete on group_orders for each row
  when (old.state = 'pending') execute function inbox_end('group_order')`,
  evidence_wants_open: `create trigger evidence_wants_open after insert on evidence_wants for each row
  when (new.settled_at is null) execute function inbox_put('want')`,
  evidence_wants_settled: `create trigger evidence_wants_settled after update of settled_at on evidence_wants
  for each row when (old.settled_at is null and new.settled_at is not null)
  execute function inbox_end('want')`,
  evidence_wants_gone: `create trigger evidence_wants_gone after delete on evidence_wants for each row
  when (old.settled_at is null) execute function inbox_end('want')`,

  // Each version waits under an id of its own, so that the site hears of a later one as well.
  site_libraries_open: `create trigger site_libraries_open after insert on kb_site_libraries for each row
  when (new.state = 'waiting') execute function inbox_put('library')`,
  site_libraries_renewed: `create trigger site_libraries_renewed after update of id, state
  on kb_site_libraries for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('library')`,
  site_libraries_settled: `create trigger site_libraries_settled after update of id, state
  on kb_site_libraries for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('library')`,
  site_libraries_gone: `create trigger site_libraries_gone after delete on kb_site_libraries for each row
  when (old.state = 'waiting') execute function inbox_end('library')`,

  // Each version waits under an id of its own, as those of libraries do.
  site_settings_renewed: `create trigger site_settings_renewed after update of id, state
  on site_settings for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('settings')`,
  site_settings_settled: `create trigger site_settings_settled after update of id, state
  on site_settings for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('settings')`,
  site_settings_gone: `create trigger site_settings_gone after delete on site_settings for each row
  when (old.state = 'waiting') execute function inbox_end('settings')`,
  // What was set at a site goes with it, and another store of the site is to hear of it again.
  site_settings_forget: `create function site_settings_forget() returns trigger language plpgsql as $$
begin
  delete from site_settings where tenant_code = '' and instance = new.instance;
  return null;
end $$`,
  sites_forget_settings: `create trigger sites_forget_settings after update of removed_at on sites
  for each row when (new.removed_at is not null) execute function site_settings_forget()`,
  site_settings_again: `create function site_settings_again() returns trigger language plpgsql as $$
begin
  update site_settings set state = 'waiting'
    where tenant_code = '' and instance = new.instance and state in ('in_force', 'trying') and version > 0;
  return null;
end $$`,
  sources_settings_again: `create trigger sources_settings_again after insert on sources
  for each row when (new.channel = 'events') execute function site_settings_again()`,
  site_requests_open: `create trigger site_requests_open after insert on site_requests for each row
  when (new.state = 'open') execute function inbox_put('request')`,
  site_requests_settled: `create trigger site_requests_settled after update of state on site_requests
  for each row when (old.state = 'open' and new.state <> 'open') execute function inbox_end('request')`,
  site_requests_gone: `create trigger site_requests_gone after delete on site_requests for each row
  when (old.state = 'open') execute function inbox_end('request')`,

  // Each directive waits under an id of its own, as versions of settings do. They are not forgotten with
  // their site: one that is registered again, or goes on under another name, keeps its place.
  site_upgrades_given: `create trigger site_upgrades_given after insert on site_upgrades for each row
  when (new.state = 'waiting') execute function inbox_put('upgrade')`,
  site_upgrades_renewed: `create trigger site_upgrades_renewed after update of id, state
  on site_upgrades for each row
  when (new.state = 'waiting' and (new.id <> old.id or old.state <> 'waiting'))
  execute function inbox_put('upgrade')`,
  site_upgrades_settled: `create trigger site_upgrades_settled after update of id, state
  on site_upgrades for each row
  when (old.state = 'waiting' and (new.id <> old.id or new.state <> 'waiting'))
  execute function inbox_end('upgrade')`,
  site_upgrades_gone: `create trigger site_upgrades_gone after delete on site_upgrades for each row
  when (old.state = 'waiting') execute function inbox_end('upgrade')`,
  // Another store of a site knows nothing of what it was told before.
  site_upgrades_again: `create function site_upgrades_again() returns trigger language plpgsql as $$
begin
  update site_upgrades set state = 'waiting'
    where tenant_code = '' and instance = new.instance and state = 'taken';
  return null;
end $$`,
  sources_upgrades_again: `create trigger sources_upgrades_again after insert on sources
  for each row when (new.channel = 'events') execute function site_upgrades_again()`,
  // What waits under the former name goes down to the site as it is.
  site_upgrades_rename: `create function site_upgrades_rename() returns trigger language plpgsql as $$
begin
  update site_upgrades u set instance = new.instance
    where u.tenant_code = '' and u.instance = any(new.continues) and u.instance =
      (select o.instance from site_upgrades o where o.tenant_code = '' and o.instance = any(new.continues)
       order by o.given_at desc, o.instance limit 1)
      and not exists (select 1 from site_upgrades n where n.tenant_code = '' and n.instance = new.instance);
  update rollout_sites s set instance = new.instance
    where s.instance = any(new.continues) and s.instance =
      (select o.instance from rollout_sites o where o.rollout_id = s.rollout_id
       and o.instance = any(new.continues) order by o.place limit 1)
      and not exists (select 1 from rollout_sites n
        where n.rollout_id = s.rollout_id and n.instance = new.instance);
  return null;
end $$`,
  sites_rename_upgrades: `create trigger sites_rename_upgrades after update of continues on sites
  for each row when (cardinality(new.continues) > 0) execute function site_upgrades_rename()`,

  // A batch moves a position forward, and notes that its site was heard. Whatever else moves one, such as
  // data put back from a copy, is told.
  sources_moved_news: `create trigger sources_moved_news after update of cursor on sources for each row
  when (new.cursor < old.cursor or new.cursor > old.cursor and new.heard_at is not distinct from old.heard_at)
  execute function site_changed()`,
  sources_gone_news: `create trigger sources_gone_news after delete on sources
  for each row execute function site_changed()`,

  // A mark is locked also where it is there already: no round takes it before the change is there.
  mark_tasks: `create function mark_tasks() returns trigger language plpgsql as $$
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
end $$`,
  tasks_come: `create trigger tasks_come after insert on tasks
  referencing new table as new_rows for each statement execute function mark_tasks()`,
  tasks_change: `create trigger tasks_change after update on tasks
  referencing old table as old_rows new table as new_rows for each statement execute function mark_tasks()`,
  tasks_go: `create trigger tasks_go after delete on tasks
  referencing old table as old_rows for each statement execute function mark_tasks()`,

  // Rows that are locked and counted up, and so must be there from the beginning.
  counters: `insert into counters (name, value, at) values
  ('event', 0, 0), ('verdict_change', 0, 0), ('task', 0, 0), ('incident', 0, 0), ('notification', 0, 0),
  ('knowledge', 0, 0), ('kb_doc', 0, 0), ('kb_chunk', 0, 0), ('kb_qa', 0, 0), ('kb_change', 0, 0)`,
  event_index_progress: `insert into event_index_progress (name, events_upto, changes_upto)
values ('events', 0, 0)`,
  served_progress: "insert into served_progress (name, events_upto, changes_upto) values ('events', 0, 0)",
  retention: "insert into retention (name, state) values ('all', '{}')",
  kb_embedding: "insert into kb_embedding (name, leased_until) values ('embedding', 0)",
};

/** What follows the columns where a table is made, by table. */
export const options: Readonly<Record<string, string>> = {
  events: 'PARTITION BY RANGE (id)',
  event_facts: 'PARTITION BY RANGE (event_id)',
  forgotten_events: 'PARTITION BY RANGE (event_id)',
};
