// Where deleted events arose is kept for ever: of a part that goes whole in a part of its own, which is made
// at once and takes a tenth of the time of so many single rows. SQL throughout.
import { type Database, limitStatements, type Tx } from '../../engine/database.ts';
import { runExclusively } from '../../partition/exclusive.ts';
import { atLength, boundOf, type Part, twinOf } from '../../partition/parts.ts';

const COLUMNS = 'event_id, tenant_code, instance, origin_id, origin_received_at';
const BOUNDS = 'part_bounds';

/** The same of a row of `events`. */
const OF_EVENT = `id, tenant_code, coalesce(instance, ''), coalesce(origin_id, id),
  coalesce(origin_received_at, received_at)`;

/**
 * Writes down where the events of a part arose, as long as each has its row. Nothing else waits for it.
 * @throws PartBusy while others read what is kept of deleted events
 */
export async function rememberPart(database: Database, part: Part): Promise<void> {
  await database.transaction(async (tx) => {
    await limitStatements(tx, 0);
    // Sorting what goes into its indexes in memory.
    await tx.client.query("set local maintenance_work_mem = '256MB'");
    const kept = twinOf(part.name, 'events', 'forgotten_events');
    const {
      rows: [found],
    } = await tx.client.query<{ done: boolean; some: boolean }>(
      `select to_regclass($1) is not null as done, exists (select from ${part.name}) as some`,
      [kept],
    );
    if (!found || found.done || !found.some) return;
    await fill(tx, part, kept);
    await runExclusively(
      tx,
      `alter table forgotten_events attach partition ${kept} ${boundOf(part)};
       alter table ${kept} drop constraint ${BOUNDS}`,
      kept,
    );
  });
}

async function fill(tx: Tx, part: Part, kept: string): Promise<void> {
  const within = `event_id < ${part.to}${part.from === null ? '' : ` and event_id >= ${part.from}`}`;
  for (const statement of [
    `create table ${kept} (like forgotten_events including storage)`,
    `insert into ${kept} (${COLUMNS}) select ${OF_EVENT} from ${part.name}`,
    // Of this part, those that went one by one before.
    `with before as (delete from forgotten_events_rest where ${within} returning ${COLUMNS})
     insert into ${kept} (${COLUMNS}) select ${COLUMNS} from before`,
    `alter table ${kept} add primary key (tenant_code, event_id)`,
    `create index on ${kept} (instance, origin_id)`,
    // By it Postgres attaches the part without looking through it.
    `alter table ${kept} add constraint ${BOUNDS} check (event_id is not null and ${within})`,
    // As the migrations have it of every table.
    `alter table ${kept} alter column tenant_code set statistics 0`,
  ])
    await atLength(tx, statement);
}
