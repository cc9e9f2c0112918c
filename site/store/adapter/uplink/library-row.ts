import { and, count, eq, sum } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { type MessageOf, say } from '../../../../common/message.ts';
import type { LibraryState as LibraryItem } from '../../../../common/uplink/change/library.ts';
import { refusalMessages } from '../../../../common/uplink/refusal-messages.ts';
import { libraries, libraryFiles } from '../../schema/tables.ts';

/** null: it was never here, and nothing was refused. */
export function readLibrary(orm: BetterSQLite3Database, no: number, subjectId: number): LibraryItem | null {
  const library = orm.select().from(libraries).where(eq(libraries.seq, subjectId)).get();
  if (!library || library.state === 'loading') return null;
  const { tenantCode, state, version, reason: told, at } = library;
  const here = and(eq(libraryFiles.tenantCode, tenantCode), eq(libraryFiles.state, 'here'));
  const kept = orm
    .select({ files: count(), clauses: sum(libraryFiles.clauses).mapWith(Number) })
    .from(libraryFiles)
    .where(here)
    .get();
  return {
    change_no: no,
    kind: 'library',
    tenant_code: tenantCode,
    version,
    state,
    files: kept?.files ?? 0,
    clauses: kept?.clauses ?? 0,
    at,
    reason: told && say(refusalMessages, told as MessageOf<typeof refusalMessages>, 'en'),
    told,
  };
}
