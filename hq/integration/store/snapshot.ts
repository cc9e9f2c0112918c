// Snapshots that are asked for while one statement runs go together in the next, each with the check of its
// token.
import type { ProjectSnapshot } from '../../project/record.ts';
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database } from '../../store/engine/database.ts';
import type { AskedSnapshot, SnapshotOutcome, SnapshotPort } from '../port.ts';
import type { ClientName } from '../record.ts';

const MAX_ASKED = 200;

/** A row for each question whose token is live; without a project its columns are null. */
type Row = { n: number; tenant: string; clientId: string } & (ProjectSnapshot | { projectCode: null });

/**
 * Each `limit` keeps the planner from joining the tables whole: it goes from each question by index to one
 * token and one project, also on a plan that was made when the tables were small.
 */
const SNAPSHOTS = {
  name: 'open_snapshots',
  text: `select a.n, t.tenant_code as tenant, t.client_id as "clientId", p.*
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality a (sha256, code, now, n)
    cross join lateral (select tenant_code, client_id from open_tokens where sha256 = a.sha256
      and expires_at > a.now limit 1) t
    cross join lateral (select 1 from open_clients where tenant_code = t.tenant_code
      and client_id = t.client_id and status = 'enabled' limit 1) c
    left join lateral (
      select code as "projectCode", name as "projectName", status, health_score as
        "healthScore", plan_progress as "planProgress",
        actual_progress as "actualProgress", milestones_total as "milestonesTotal", milestones_at_risk as
          "milestonesAtRisk", open_ncr as "openNcr"
      from projects where tenant_code = t.tenant_code and code = a.code limit 2
    ) p on true`,
};

export class HubSnapshots implements SnapshotPort {
  #database: Database;
  #reading: Coalescer<AskedSnapshot, SnapshotOutcome>;

  constructor(database: Database) {
    this.#database = database;
    this.#reading = new Coalescer<AskedSnapshot, SnapshotOutcome>(
      (asked) => read(database, asked),
      MAX_ASKED,
    );
  }

  read(asked: AskedSnapshot): Promise<SnapshotOutcome> {
    return this.#reading.add(asked);
  }
}

async function read(database: Database, asked: readonly AskedSnapshot[]): Promise<SnapshotOutcome[]> {
  const values = [
    asked.map((one) => one.tokenSha256),
    asked.map((one) => one.projectCode),
    asked.map((one) => one.now),
  ];
  const { rows } = await database.read((_db, pool) => pool.query<Row>({ ...SNAPSHOTS, values }));
  const outcomes = asked.map((): SnapshotOutcome => ({ kind: 'invalid_token' }));
  for (const { n, tenant: tenantCode, clientId, ...project } of rows)
    outcomes[n - 1] = outcomeOf(project, { tenantCode, clientId }, outcomes[n - 1]);
  return outcomes;
}

/** @param before what was found under the same code */
function outcomeOf(
  project: ProjectSnapshot | { projectCode: null },
  client: ClientName,
  before: SnapshotOutcome | undefined,
): SnapshotOutcome {
  if (before?.kind === 'found') return { kind: 'several_projects', client };
  return project.projectCode === null ? { kind: 'no_project', client } : { kind: 'found', project, client };
}
