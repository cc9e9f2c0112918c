-- oldest-code: 14
-- What a site last told of its machine: a SiteReport (common/uplink/wire.ts) as JSON.
alter table sites add column report text;
