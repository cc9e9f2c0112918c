-- oldest-code: 14
-- What opens the address of a pending upload, sealed. A row without it is an older program's: what opens the address
-- stands in put_url and headers, until the next round of uploads seals it.
ALTER TABLE evidence_jobs ADD COLUMN access TEXT;
CREATE INDEX evidence_jobs_clear ON evidence_jobs (id) WHERE state = 'pending' AND access IS NULL;
