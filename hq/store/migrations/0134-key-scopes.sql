-- oldest-code: 14
-- What a consumer's key is for. Keys from before pulled, acknowledged and read datasets, and go on doing that and no more.
alter table keys add column scopes text;
update keys set scopes = '["events.pull","datasets.read"]' where purpose = 'consumer';
