-- oldest-code: 1
-- A verdict that was committed while a round of the event index took its event was passed over: lists by verdict and the
-- stats window had the event as not judged. The changes from the first such verdict on are taken once more, which moves
-- the facts that are wrong and leaves the others.
update event_index_progress p
set changes_upto = least(p.changes_upto, m.first - 1)
from (
  select min(c.change_no) as first
  from verdicts v
  join event_facts f on f.tenant_code = v.tenant_code and f.event_id = v.event_id
  join event_groups g on g.id = f.group_id
  join verdict_changes c on c.event_id = v.event_id and c.kind = 'verdict'
  where g.verdict is distinct from v.verdict
) m
where p.name = 'events' and m.first is not null;
