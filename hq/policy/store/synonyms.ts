import { eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Db } from '../../store/engine/database.ts';
import type { SetSynonyms, SetSynonymsOutcome, SynonymPort, SynonymTable } from '../synonyms/port.ts';
import { kbSynonyms } from './schema.ts';

export class HubSynonyms implements SynonymPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  revisionOf(tenantCode: string): Promise<number> {
    return this.#database.read(async (db) => {
      const [row] = await db
        .select({ revision: kbSynonyms.revision })
        .from(kbSynonyms)
        .where(eq(kbSynonyms.tenantCode, tenantCode));
      return row?.revision ?? 0;
    });
  }

  get(tenantCode: string): Promise<SynonymTable> {
    return this.#database.read((db) => tableIn(db, tenantCode));
  }

  set(command: SetSynonyms, stamp: Stamp): Promise<SetSynonymsOutcome> {
    const { tenantCode, groups, shipped, expected, actor } = command;
    return this.#database.transaction(async (tx) => {
      // A row to lock also at the first change, so that of two at once one is told of the other.
      await tx.db
        .insert(kbSynonyms)
        .values({ tenantCode, revision: 0, shipped: true, groups: [], setBy: actor, setAt: stamp.now })
        .onConflictDoNothing();
      await tx.db.select().from(kbSynonyms).where(eq(kbSynonyms.tenantCode, tenantCode)).for('update');
      const before = await tableIn(tx.db, tenantCode);
      if (expected !== null && expected !== before.revision) return { kind: 'conflict', table: before };
      const change = { revision: before.revision + 1, shipped, groups, setBy: actor, setAt: stamp.now };
      await tx.db.update(kbSynonyms).set(change).where(eq(kbSynonyms.tenantCode, tenantCode));
      await appendAudit(tx, {
        id: stamp.newId(),
        at: stamp.now,
        actor,
        action: 'kb.synonyms.set',
        subject: `kb_synonyms:${tenantCode}`,
        tenantCode: null,
        before: before.revision === 0 ? null : factsOf(before),
        after: factsOf({ tenantCode, ...change }),
      });
      return { kind: 'set', table: { tenantCode, ...change } };
    });
  }
}

/** A row of revision 0 was made for its lock alone. */
async function tableIn(db: Db, tenantCode: string): Promise<SynonymTable> {
  const [row] = await db.select().from(kbSynonyms).where(eq(kbSynonyms.tenantCode, tenantCode));
  if (row && row.revision > 0) return row;
  return { tenantCode, revision: 0, shipped: true, groups: [], setBy: null, setAt: null };
}

const factsOf = ({ tenantCode, revision, shipped, groups }: SynonymTable) => ({
  tenantCode,
  revision,
  shipped,
  groups,
});
