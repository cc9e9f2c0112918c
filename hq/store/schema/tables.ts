// The tables of the core at headquarters. Those that a site has too carry the same columns. Unique keys lead
// with tenant_code, so that the tables can be partitioned or distributed by tenant. The exceptions are small
// tables of the whole installation, and audit, which would be divided by time.
export * from './access.ts';
export * from './agent.ts';
export * from './alarm.ts';
export * from './audit.ts';
export * from './counter.ts';
export * from './event-index.ts';
export * from './event.ts';
export * from './evidence.ts';
export * from './feedback.ts';
export * from './incident.ts';
export * from './notification.ts';
export * from './retention.ts';
export * from './retry.ts';
export * from './rule.ts';
export * from './secret.ts';
export * from './model-call.ts';
export * from './stepped-over.ts';
export * from './subscription.ts';
export * from './task.ts';
export * from './verdict.ts';
