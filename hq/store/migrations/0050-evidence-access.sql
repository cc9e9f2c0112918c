-- oldest-code: 14
-- What opens the address of a pending upload, sealed. A row without it is an older program's: what opens the address
-- stands in put_url and headers, until the next round of uploads seals it.
alter table evidence_jobs add column access text;
create index evidence_jobs_clear on evidence_jobs (id) where state = 'pending' and access is null;
