// What setting and removing of every second factor share. The row of the user is held by who calls.
import { and, count, eq, isNotNull } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { endSessions, sessionsOf } from '../../store/adapter/access/session.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Tx } from '../../store/engine/database.ts';
import { sessions } from '../../store/schema/tables.ts';
import type { UserRecord } from '../port.ts';
import { passkeys, recoveryCodes, totpFactors, users } from './schema.ts';

interface By {
  now: number;
  actor: string;
}

/**
 * A second factor was proved: the session has what its user may do, and the others end. @returns how many
 */
export async function factorSet(
  tx: Tx,
  clock: Clock,
  { user, session }: { user: UserRecord; session: string },
  by: By,
): Promise<number> {
  const { name, permissions, secondFactorSince } = user;
  if (secondFactorSince === null)
    await tx.db.update(users).set({ secondFactorSince: by.now }).where(eq(users.name, name));
  await tx.db
    .update(sessions)
    .set({ waits: false, permissions })
    .where(and(eq(sessions.id, session), eq(sessions.userName, name)));
  return endSessions(tx, clock, sessionsOf(name, session), by);
}

/** One was taken away. With the last one the recovery codes go. */
export async function settleFactors(tx: Tx, { name }: UserRecord): Promise<void> {
  if ((await hasTotp(tx, name)) || (await passkeysOf(tx, name)) > 0) return;
  await replaceCodes(tx, name, []);
  await tx.db.update(users).set({ secondFactorSince: null }).where(eq(users.name, name));
}

/** Whether an authenticator app was proved. */
export async function hasTotp({ db }: Tx, userName: string): Promise<boolean> {
  const proved = and(eq(totpFactors.userName, userName), isNotNull(totpFactors.since));
  return (await db.select().from(totpFactors).where(proved)).length > 0;
}

/** How many there are. */
export async function passkeysOf({ db }: Tx, userName: string): Promise<number> {
  const [row] = await db.select({ keys: count() }).from(passkeys).where(eq(passkeys.userName, userName));
  return row?.keys ?? 0;
}

export const codeOf = (userName: string, codeHash: string) =>
  and(eq(recoveryCodes.userName, userName), eq(recoveryCodes.codeHash, codeHash));

export async function replaceCodes(
  { db }: Tx,
  userName: string,
  codeHashes: readonly string[],
): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userName, userName));
  if (codeHashes.length > 0)
    await db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userName, codeHash })));
}

export async function noteFactor(
  tx: Tx,
  clock: Clock,
  { name, tenantCode }: UserRecord,
  what: { action: string; before?: object | null; after: object | null; at: number; actor: string },
): Promise<void> {
  await appendAudit(tx, {
    ...{ id: clock.newId(), subject: `user:${name}`, tenantCode, before: null },
    ...what,
  });
}
