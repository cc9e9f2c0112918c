-- oldest-code: 1
-- Which chunks went when a set of a file was replaced; their numbers were given out together. By it an answer that rests on them
-- is told from one that cites what never was the tenant's.
alter table kb_changes add column first_chunk bigint, add column last_chunk bigint;
create index kb_changes_chunks on kb_changes (tenant_code, first_chunk) where first_chunk is not null;
