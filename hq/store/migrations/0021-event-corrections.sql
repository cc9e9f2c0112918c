-- oldest-code: 21
-- The index of events is made anew behind the start, as by 0010: until then lists and statistics read rows,
-- and are as right as before.
TRUNCATE event_facts, event_groups, event_hours, event_days;
UPDATE event_index_progress SET events_upto = 0 WHERE name = 'events';
ALTER TABLE "event_groups" DROP CONSTRAINT "event_groups_key";
ALTER TABLE "event_groups" ADD COLUMN "corrected_to" text collate "C";
ALTER TABLE "event_groups" ADD CONSTRAINT "event_groups_key" UNIQUE NULLS NOT DISTINCT("tenant_code","type",
		"kind","source","verdict","corrected_to","is_test","judged","judged_type","severity","instance");
