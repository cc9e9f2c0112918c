-- oldest-code: 7
ALTER TABLE "event_places" DROP CONSTRAINT "event_places_key";
ALTER TABLE "event_places" ADD COLUMN "instance" text collate "C";
-- A place keeps its number for the first of the instances whose events are there; the others get rows of
-- their own, and their events go over to these.
CREATE TEMPORARY TABLE place_instances ON COMMIT DROP AS
	SELECT DISTINCT f.tenant_code, f.place_id, e.instance FROM event_facts f
	JOIN events e ON e.tenant_code = f.tenant_code AND e.id = f.event_id;
UPDATE event_places p SET instance = i.instance FROM (SELECT DISTINCT ON (tenant_code, place_id) * FROM
	place_instances ORDER BY tenant_code, place_id, instance NULLS FIRST) i
	WHERE p.tenant_code = i.tenant_code AND p.id = i.place_id AND i.instance IS NOT NULL;
CREATE TEMPORARY TABLE moved_places ON COMMIT DROP AS
	SELECT p.tenant_code, p.id AS was, i.instance,
		nextval(pg_get_serial_sequence('event_places', 'id'))::integer AS id, p.site_ref, p.camera_ref
	FROM place_instances i JOIN event_places p ON p.tenant_code = i.tenant_code AND p.id = i.place_id
	WHERE p.instance IS DISTINCT FROM i.instance;
INSERT INTO event_places (tenant_code, id, site_ref, camera_ref, instance)
	SELECT tenant_code, id, site_ref, camera_ref, instance FROM moved_places;
UPDATE event_facts f SET place_id = m.id FROM events e, moved_places m
	WHERE m.tenant_code = f.tenant_code AND m.was = f.place_id
	AND e.tenant_code = f.tenant_code AND e.id = f.event_id AND e.instance = m.instance;
ALTER TABLE "event_places" ADD CONSTRAINT "event_places_key" UNIQUE NULLS NOT DISTINCT("tenant_code",
		"site_ref","camera_ref","instance");
