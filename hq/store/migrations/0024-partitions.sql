-- oldest-code: 24
-- Takes no time, however many events there are: what there is becomes the one partition without a check,
-- since that has neither a beginning nor an end. More are made behind the start.
ALTER TABLE "served_event_verdicts" DROP CONSTRAINT "served_event_verdicts_event_fk";

ALTER TABLE events RENAME TO events_first;
ALTER TABLE events_first RENAME CONSTRAINT events_tenant_code_id_pk TO events_first_pkey;
ALTER INDEX events_id RENAME TO events_first_id_idx;
ALTER INDEX events_origin RENAME TO events_first_instance_origin_id_idx;
CREATE TABLE events (LIKE events_first INCLUDING STORAGE) PARTITION BY RANGE (id);
ALTER TABLE events ADD CONSTRAINT events_tenant_code_id_pk PRIMARY KEY (tenant_code, id);
CREATE INDEX events_id ON events (id);
CREATE INDEX events_origin ON events (instance, origin_id);
ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE event_facts RENAME TO event_facts_first;
ALTER TABLE event_facts_first RENAME CONSTRAINT event_facts_pkey TO event_facts_first_pkey;
ALTER INDEX event_facts_group RENAME TO event_facts_first_group_id_event_id_occurred_at_idx;
ALTER INDEX event_facts_place RENAME TO event_facts_first_place_id_event_id_group_id_idx;
ALTER INDEX event_facts_time RENAME TO event_facts_first_tenant_code_occurred_at_group_id_idx;
CREATE TABLE event_facts (LIKE event_facts_first INCLUDING STORAGE) PARTITION BY RANGE (event_id);
ALTER TABLE event_facts ADD PRIMARY KEY (tenant_code, event_id) INCLUDE (group_id);
CREATE INDEX event_facts_group ON event_facts (group_id, event_id) INCLUDE (occurred_at);
CREATE INDEX event_facts_place ON event_facts (place_id, event_id) INCLUDE (group_id);
CREATE INDEX event_facts_time ON event_facts (tenant_code, occurred_at) INCLUDE (group_id);
ALTER TABLE event_facts ATTACH PARTITION event_facts_first FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
