import { and, eq, lt, or } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { Proof } from '../factor/port.ts';
import type { UserRecord } from '../port.ts';
import { codeOf, noteFactor } from './factor-row.ts';
import { passkeys, recoveryCodes, totpFactors } from './schema.ts';

interface By {
  now: number;
  actor: string;
}

/** Uses a proof up. False: it was used, or taken away, meanwhile. */
export async function spend(
  tx: Tx,
  clock: Clock,
  { user, proof }: { user: UserRecord; proof: Proof },
  by: By,
): Promise<boolean> {
  if (proof.kind === 'passkey') return spendPasskey(tx, user, proof, by);
  if (proof.kind === 'totp') {
    const taken = await tx.db
      .update(totpFactors)
      .set({ lastStep: proof.step })
      .where(and(eq(totpFactors.userName, user.name), lt(totpFactors.lastStep, proof.step)))
      .returning();
    return taken.length > 0;
  }
  const used = await tx.db.delete(recoveryCodes).where(codeOf(user.name, proof.codeHash)).returning();
  if (used.length === 0) return false;
  await noteFactor(tx, clock, user, {
    action: 'second_factor.recovery_code_used',
    after: null,
    at: by.now,
    actor: by.actor,
  });
  return true;
}

/** A counter that went on, or one of those that never count. */
async function spendPasskey(
  { db }: Tx,
  { name }: UserRecord,
  { id, counter }: { id: string; counter: number },
  { now }: By,
): Promise<boolean> {
  const goesOn = or(
    lt(passkeys.counter, counter),
    and(eq(passkeys.counter, 0), eq(passkeys.counter, counter)),
  );
  const used = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), eq(passkeys.userName, name), goesOn))
    .returning();
  return used.length > 0;
}
