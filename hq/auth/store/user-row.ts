import { eq } from 'drizzle-orm';
import type { Tx } from '../../store/engine/database.ts';
import type { UserRecord } from '../port.ts';
import { users } from './schema.ts';

/** Held until the transaction ends, so that no session starts while its user is changed. */
export async function locked(tx: Tx, name: string): Promise<UserRecord | null> {
  return (await tx.db.select().from(users).where(eq(users.name, name)).for('update'))[0] ?? null;
}
