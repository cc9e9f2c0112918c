import type { Stamp } from '../../clock.ts';
import type { NamedSecret } from './record.ts';

/**
 * Named secrets. Changes are audited on `secret:<name>` as `secret.created`, `secret.changed` and
 * `secret.removed`, without the secret.
 */
export interface SecretPort {
  /** Makes it, or puts it in the place of the tenant's one of that name, whose `createdAt` stays. */
  put(secret: NamedSecret, actor: string, stamp: Stamp): Promise<{ secret: NamedSecret; created: boolean }>;
  /** @param tenantCode null: of no tenant */
  get(tenantCode: string | null, name: string): Promise<NamedSecret | null>;
  /** By tenant, those of none first, then by name. @param tenantCode null: of every tenant and of none */
  list(tenantCode: string | null): Promise<NamedSecret[]>;
  /** @param tenantCode null: of no tenant @returns what was removed, null when there was none */
  remove(tenantCode: string | null, name: string, actor: string, stamp: Stamp): Promise<NamedSecret | null>;
}
