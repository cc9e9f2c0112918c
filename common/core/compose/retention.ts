import type { RetentionHook } from '../retention/port.ts';
import type { RetentionLimits } from '../retention/record.ts';
import { retentionMetrics, retentionRoutes } from '../retention/routes.ts';
import { RetentionService } from '../retention/service.ts';
import type { CoreBase, CorePart } from './part.ts';

export interface RetentionOptions {
  limits: RetentionLimits;
  /** For what is kept of events beyond the core's own. */
  hooks: readonly RetentionHook[];
  /** Whether events that an uplink has not sent yet are left. */
  holdUnsent: boolean;
}

/** Deletion of what is past its age. @param hooks in the order in which they run after a deletion */
export function createRetention(
  { stores, clock, log, instance }: CoreBase,
  { limits, holdUnsent }: RetentionOptions,
  hooks: readonly RetentionHook[],
): CorePart {
  const service = new RetentionService({
    retention: stores.retention,
    alarms: stores.alarms,
    retentionHooks: hooks,
    limits,
    holdUnsent,
    instance,
    clock,
    log,
  });
  return {
    routes: retentionRoutes(service),
    metrics: retentionMetrics(service),
    start: () => service.start(),
    stop: () => service.stop(),
  };
}
