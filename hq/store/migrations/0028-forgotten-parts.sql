-- oldest-code: 27
-- Takes no time, however many events were forgotten: those that there are become the part for all others.
ALTER TABLE forgotten_events RENAME TO forgotten_events_rest;
ALTER TABLE forgotten_events_rest
  RENAME CONSTRAINT forgotten_events_tenant_code_event_id_pk TO forgotten_events_rest_pkey;
ALTER INDEX forgotten_events_origin RENAME TO forgotten_events_rest_instance_origin_id_idx;
CREATE TABLE forgotten_events (LIKE forgotten_events_rest INCLUDING STORAGE) PARTITION BY RANGE (event_id);
ALTER TABLE forgotten_events ADD CONSTRAINT forgotten_events_tenant_code_event_id_pk
  PRIMARY KEY (tenant_code, event_id);
CREATE INDEX forgotten_events_origin ON forgotten_events (instance, origin_id);
ALTER TABLE forgotten_events ATTACH PARTITION forgotten_events_rest DEFAULT;
