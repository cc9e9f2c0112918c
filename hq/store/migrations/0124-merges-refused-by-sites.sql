-- oldest-code: 18
-- A site refused to merge into an event that it did not keep, and the decision was settled as lost: both ends disagreed for
-- ever. Such decisions go down once more, under new ids, since the site has answered the old ones, with the target's identity,
-- and after them the corrections that it refused because there was no verdict. Those that still wait get the identity too.
create temporary table refused_merges on commit drop as
select d.tenant_code, d.id, d.event_id, d.kind, gen_random_uuid()::text as fresh
from decisions d
where d.state = 'lost' and (
  d.note = 'the event that it was to be merged into is not kept here'
  or (d.kind = 'correction' and d.note = 'there is no verdict to correct'))
  and (d.kind = 'correction' or exists (
    select 1 from verdicts v where v.tenant_code = d.tenant_code and v.event_id = d.event_id and v.decision_id = d.id));

update verdicts v set decision_id = r.fresh from refused_merges r
where r.kind = 'verdict' and v.tenant_code = r.tenant_code and v.event_id = r.event_id and v.decision_id = r.id;
update corrections c set id = r.fresh from refused_merges r where r.kind = 'correction' and c.tenant_code = r.tenant_code and c.id = r.id;
update decisions d set id = r.fresh, state = 'pending', settled_at = null, note = null
from refused_merges r where d.tenant_code = r.tenant_code and d.id = r.id;

with target as (
  select d.tenant_code, d.id, e.instance as home, t.instance
  from decisions d
  join events e on e.tenant_code = d.tenant_code and e.id = d.event_id
  left join verdicts v on d.kind = 'verdict' and v.tenant_code = d.tenant_code and v.event_id = d.event_id and v.decision_id = d.id
  left join corrections c on d.kind = 'correction' and c.tenant_code = d.tenant_code and c.id = d.id
  join events t on t.tenant_code = d.tenant_code and t.id = coalesce(v.merged_into, c.merged_into)
  where d.state = 'pending'
)
update decisions d
-- As text: what a person wrote may hold what jsonb does not take.
set body = '{"merged_into_instance":' || coalesce(to_json(target.instance)::text, 'null') || ',' || substr(d.body, 2),
  needs = case when target.instance is distinct from target.home then 'merge_by_identity' else d.needs end
from target where d.tenant_code = target.tenant_code and d.id = target.id;
