import { eq } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { UserRecord } from '../port.ts';
import { users } from './schema.ts';

/** Held until the transaction ends, so that no session starts while its user is changed. */
export async function locked(tx: Tx, name: string): Promise<UserRecord | null> {
  return (await tx.db.select().from(users).where(eq(users.name, name)).for('update'))[0] ?? null;
}

/** What the audit shows of a user. */
export function traced(user: UserRecord): object {
  const { name, role, tenantCode, permissions, disabledAt, emergency } = user;
  return { name, role, tenantCode, permissions, disabledAt, ...(emergency ? { emergency } : {}) };
}

export async function noteUser(
  tx: Tx,
  clock: Clock,
  user: UserRecord,
  what: { action: string; at: number; actor: string; before: object | null; after: object | null },
): Promise<void> {
  const { action, at, actor, before, after } = what;
  await appendAudit(tx, {
    id: clock.newId(),
    subject: `user:${user.name}`,
    tenantCode: user.tenantCode,
    ...{ action, at, actor, before, after },
  });
}
