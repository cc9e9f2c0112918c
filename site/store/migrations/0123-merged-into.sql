-- oldest-code: 1
-- The event that one was merged into, by its identity: headquarters may name one of another site, or one that is no longer kept.
ALTER TABLE verdicts ADD COLUMN merged_into_key TEXT;
ALTER TABLE verdicts ADD COLUMN merged_into_instance TEXT;
ALTER TABLE corrections ADD COLUMN merged_into_key TEXT;
ALTER TABLE corrections ADD COLUMN merged_into_instance TEXT;
