import type { ProjectPort, ProjectSnapshot } from '../project/port.ts';
import type { Database } from './database.ts';

/** One row of one index: the figures stand in the project's row. Prepared once a connection. */
const SNAPSHOT = {
  name: 'project_snapshot',
  text: `select project_id as "projectId", code as "projectCode", name as "projectName", status, health_score as "healthScore", plan_progress as "planProgress",
    actual_progress as "actualProgress", milestones_total as "milestonesTotal", milestones_at_risk as "milestonesAtRisk", open_ncr as "openNcr"
    from projects where tenant_code = $1 and code = $2 order by project_id desc limit 1`,
};

export function createProjects(database: Database): ProjectPort {
  return {
    snapshot: (tenantCode, projectCode) => database.read(async (_db, pool) =>
      (await pool.query<ProjectSnapshot>({ ...SNAPSHOT, values: [tenantCode, projectCode] })).rows[0] ?? null),
  };
}
