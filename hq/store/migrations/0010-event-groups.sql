-- oldest-code: 10
-- The index of events is made anew behind the start, which takes a while for a million events: until
-- then lists and statistics read rows, and are as right as before. Numbers go on, so that no group gets one
-- that another had.
TRUNCATE event_facts, event_groups, event_hours, event_days;
UPDATE event_index_progress SET events_upto = 0 WHERE name = 'events';
ALTER TABLE "event_groups" DROP CONSTRAINT "event_groups_key";
ALTER TABLE "event_groups" ADD COLUMN "severity" text collate "C" NOT NULL;
ALTER TABLE "event_groups" ADD COLUMN "instance" text collate "C";
ALTER TABLE "event_groups" ADD CONSTRAINT "event_groups_key" UNIQUE NULLS NOT DISTINCT("tenant_code","type",
		"kind","source","verdict","is_test","judged","judged_type","severity","instance");

-- Served counts: a cell stays with the instance that has most of its events, which also takes those that
-- retention has deleted; the events of the others go over to cells of their own. A cell of which no event is
-- kept goes to the one instance whose events name its site, if there is one.
ALTER TABLE "served_event_counts" DROP CONSTRAINT "served_event_counts_key";
ALTER TABLE "served_event_counts" ADD COLUMN "instance" text collate "C" NOT NULL DEFAULT '';
ALTER TABLE "served_event_counts" ALTER COLUMN "instance" DROP DEFAULT;
CREATE TEMPORARY TABLE kept_counts ON COMMIT DROP AS
	SELECT e.tenant_code, to_char(to_timestamp((coalesce(e.occurred_at, e.received_at) + 28800000) / 1000)
			at time zone 'UTC', 'YYYY-MM-DD') AS day,
		coalesce(e.doc::json ->> 'siteRef', '') AS site_ref, e.type, coalesce(e.severity, '') AS severity,
		coalesce(v.verdict, '') AS verdict, coalesce(e.instance, '') AS instance, count(*) AS count
	FROM events e LEFT JOIN served_event_verdicts v ON v.tenant_code = e.tenant_code AND v.event_id = e.id
	WHERE NOT e.is_test AND e.id <= (SELECT events_upto FROM served_progress WHERE name = 'events')
	GROUP BY 1, 2, 3, 4, 5, 6, 7;
CREATE TEMPORARY TABLE instance_counts ON COMMIT DROP AS
	SELECT s.id, k.*, row_number() OVER (PARTITION BY s.tenant_code, s.id ORDER BY k.count DESC, k.instance) AS rank
	FROM kept_counts k JOIN served_event_counts s USING (tenant_code, day, site_ref, type, severity, verdict);
UPDATE served_event_counts s SET instance = i.instance, count = s.count - i.others,
		updated_at = (extract(epoch from clock_timestamp()) * 1000)::bigint
	FROM (SELECT tenant_code, id, min(instance) FILTER (WHERE rank = 1) AS instance,
		coalesce(sum(count) FILTER (WHERE rank > 1), 0) AS others FROM instance_counts GROUP BY 1, 2) i
	WHERE i.tenant_code = s.tenant_code AND i.id = s.id AND (i.instance <> '' OR i.others > 0);
INSERT INTO served_event_counts (tenant_code, day, site_ref, type, severity, verdict, instance, count, updated_at)
	SELECT tenant_code, day, site_ref, type, severity, verdict, instance, count,
		(extract(epoch from clock_timestamp()) * 1000)::bigint FROM instance_counts WHERE rank > 1;
UPDATE served_event_counts s SET instance = o.instance,
		updated_at = (extract(epoch from clock_timestamp()) * 1000)::bigint
	FROM (SELECT tenant_code, site_ref, min(instance) AS instance FROM kept_counts GROUP BY 1, 2
		HAVING min(instance) = max(instance)) o
	WHERE o.tenant_code = s.tenant_code AND o.site_ref = s.site_ref AND o.instance <> '' AND s.instance = ''
		AND NOT EXISTS (SELECT FROM instance_counts i WHERE i.tenant_code = s.tenant_code AND i.id = s.id);
ALTER TABLE "served_event_counts" ADD CONSTRAINT "served_event_counts_key" UNIQUE("tenant_code","day",
		"site_ref","type","severity","verdict","instance");

-- Statistics of tasks read this index alone.
DROP INDEX "tasks_created";
CREATE INDEX tasks_created ON tasks (tenant_code, created_at)
	INCLUDE (id, type, state, due_at, escalated_at, event_id, instance);
