// The figures of projects, computed from the rows of the model where they change.
import type { BusinessEvent } from '../../integration/business-event.ts';
import type { Tx } from '../../store/engine/database.ts';
import { joinWhole } from '../../store/engine/join-whole.ts';
import { type Drag, procurementDelay } from '../decide.ts';

/** Begins a statement: the projects to compute. `$2` null: all of the tenant. */
const PROJECTS =
  'with chosen as (select project_id from projects where tenant_code = $1 and ($2::bigint[] is null or ' +
  'project_id = any($2)) order by project_id for update)';

/**
 * Spec 1, "Project snapshot": the equally weighted mean over leaf WBS nodes, of those that state a value;
 * percent with two decimals. Nodes and the parents that nodes name are grouped, not joined: that costs the
 * same whatever the statistics say.
 */
export async function computeProgress(
  tx: Tx,
  tenantCode: string,
  projects: readonly string[] | null,
): Promise<void> {
  const nodes = (columns: string, more: string): string =>
    `select project_id, ${columns} from wbs_nodes where tenant_code = $1 and project_id is not null ` +
    `and ($2::bigint[] is null or project_id = any($2))${more}`;
  const named = nodes('node_id, plan, actual, false as parent', '');
  const parents = nodes('parent_id, null, null, true', ' and parent_id is not null');
  await joinWhole(
    tx,
    `${PROJECTS}, leaves as (
       select project_id, max(plan) as plan, max(actual) as actual from (
         ${named} union all ${parents}
       ) named group by project_id, node_id having not bool_or(parent)
     ), means as (
       select project_id, round(avg(plan), 2) as plan, round(avg(actual), 2) as actual
         from leaves group by project_id
     )
     update projects p set plan_progress = m.plan, actual_progress = m.actual
     from chosen c left join means m using (project_id)
     where p.tenant_code = $1 and p.project_id = c.project_id
       and (p.plan_progress, p.actual_progress) is distinct from (m.plan, m.actual)`,
    [tenantCode, projects],
  );
}

export async function computeMilestones(
  tx: Tx,
  tenantCode: string,
  projects: readonly string[] | null,
): Promise<void> {
  await joinWhole(
    tx,
    `${PROJECTS}, counts as (
       select project_id, count(*) as total, count(*) filter (where status in (4, 5)) as at_risk
       from milestones where tenant_code = $1 and ($2::bigint[] is null or project_id = any($2))
         group by project_id
     )
     update projects p set milestones_total = coalesce(n.total, 0), milestones_at_risk = coalesce(n.at_risk,
       0)
     from chosen c left join counts n using (project_id) where p.tenant_code = $1
       and p.project_id = c.project_id`,
    [tenantCode, projects],
  );
}

export async function computeNcrs(
  tx: Tx,
  tenantCode: string,
  projects: readonly string[] | null,
): Promise<void> {
  await joinWhole(
    tx,
    `${PROJECTS}, counts as (
       select project_id, count(*) as total from ncrs where tenant_code = $1 and not closed
         and ($2::bigint[] is null or project_id = any($2)) group by project_id
     )
     update projects p set open_ncr = coalesce(n.total, 0)
     from chosen c left join counts n using (project_id) where p.tenant_code = $1
       and p.project_id = c.project_id`,
    [tenantCode, projects],
  );
}

/**
 * Brings up to date which late orders drag which milestones: those of the orders or milestones that changed,
 * or all of the tenant (null).
 * @returns what there is to tell of it
 */
export async function updateDraggedMilestones(
  tx: Tx,
  tenantCode: string,
  changed: { orders?: readonly string[]; milestones?: readonly string[] } | null,
): Promise<BusinessEvent[]> {
  const [orders, milestones] = [changed?.orders ?? [], changed?.milestones ?? []];
  const rows = await joinWhole<Drag>(
    tx,
    `with now as (
       select o.order_id, o.project_id, o.milestone_id, o.drags, o.drags_milestone, case when o.late
         and m.status in (4, 5) then m.status end as after
       from purchase_orders o left join milestones m on m.tenant_code = o.tenant_code
         and m.milestone_id = o.milestone_id
       where o.tenant_code = $1 and (o.late or o.drags is not null) and ($2 or o.order_id = any($3::bigint[])
         or o.milestone_id = any($4::bigint[]))
       order by o.order_id for update of o
     )
     update purchase_orders o set drags = n.after,
       drags_milestone = case when n.after is not null then n.milestone_id end
     from now n where o.tenant_code = $1 and o.order_id = n.order_id and (n.drags is distinct from n.after
       or n.after is not null and n.drags_milestone is distinct from n.milestone_id)
     returning n.order_id::text as "orderId", n.project_id::text as "projectId",
       n.milestone_id::text as "milestoneId",
       case when n.drags_milestone = n.milestone_id then n.drags end as before, n.after`,
    [tenantCode, changed === null, orders, milestones],
  );
  return rows
    .sort((a, b) => Number(BigInt(a.orderId) - BigInt(b.orderId)))
    .map(procurementDelay)
    .filter((event) => event !== null);
}
