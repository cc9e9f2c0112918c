-- oldest-code: 14
-- What a consumer's key is for. Keys from before pulled and acknowledged, and go on doing that and no more.
ALTER TABLE keys ADD COLUMN scopes TEXT;
UPDATE keys SET scopes = '["events.pull","datasets.read"]' WHERE purpose = 'consumer';
