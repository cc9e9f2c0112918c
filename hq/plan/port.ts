import type { Stamp } from '../../common/clock.ts';
import type { Plan } from './record.ts';

/** Which plans; null: whatever it is. */
export interface PlanFilter {
  tenantCode: string | null;
  instance: string | null;
}

/** Plans of sites. Changes are audited on `plan:<id>` as `plan.created`, `plan.changed`, `plan.removed`. */
export interface PlanPort {
  /** By site and name. */
  list(wanted: PlanFilter): Promise<Plan[]>;
  /** @param tenantCode null: whosever it is */
  get(id: string, tenantCode: string | null): Promise<Plan | null>;
  /** @returns null where there is no such plan */
  bytes(id: string, tenantCode: string | null): Promise<Buffer | null>;
  /** @returns why it was not made */
  create(
    plan: Plan,
    bytes: Buffer,
    actor: string,
    stamp: Stamp,
  ): Promise<'created' | 'name_taken' | 'too_many'>;
  /**
   * Replaces the row of this id. @param bytes null: the picture stays
   * @param priorAt when it was last changed, as far as the caller knows
   */
  change(
    plan: Plan,
    bytes: Buffer | null,
    priorAt: number,
    actor: string,
    stamp: Stamp,
  ): Promise<'saved' | 'name_taken' | 'changed'>;
  remove(id: string, tenantCode: string, actor: string, stamp: Stamp): Promise<Plan | null>;
}
