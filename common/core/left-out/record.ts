// Rows that background work over all tenants had to leave out, so that it goes on for the others.

/** Work at headquarters that takes many rows in one statement. */
export const statementWorks = ['event index', 'task counts', 'dataset counts', 'dataset verdicts'] as const;
/** Work of the agent, at a site and at headquarters, that takes one row after another. */
export const agentWorks = ['escalation', 'incident groups', 'summaries'] as const;

export type StatementWork = (typeof statementWorks)[number];
export type AgentWork = (typeof agentWorks)[number];
export type WorkName = StatementWork | AgentWork;

/** A row that is left out, by the number that its work knows it by. */
export interface LeftOutRow {
  work: AgentWork;
  tenantCode: string;
  rowId: number;
}

/** What is left out of one work for one tenant. */
export interface LeftOut {
  work: WorkName;
  tenantCode: string;
  rows: number;
  /** The first of them, and why it failed. */
  rowId: number;
  reason: string;
}
