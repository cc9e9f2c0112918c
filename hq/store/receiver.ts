import { and, asc, eq } from 'drizzle-orm';
import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import type { ChangeBody, ChannelName, Decision, RejectedItem } from '../../common/uplink/wire.ts';
import { admitEvents, decidePosition, givenTwice, type Position } from '../receiver/decide.ts';
import type { BatchHead, ReceiverPort, StoreOutcome } from '../receiver/port.ts';
import type { Database, Tx } from './database.ts';
import type { Epoch } from './epoch.ts';
import { ingestBatches } from './event-rows.ts';
import { storeChanges } from './received-changes.ts';
import { decisions, sources } from './schema.ts';
import { createSites, requireSite, siteUnknown } from './sites.ts';

export interface ReceiverParts {
  clock: Clock;
  log: Logger;
  epoch: Epoch;
}

export function createReceiver(database: Database, parts: ReceiverParts): ReceiverPort {
  const { clock, log, epoch } = parts;
  const checkEpoch = async (outcome: StoreOutcome, head: BatchHead, channel: ChannelName): Promise<StoreOutcome> => {
    // A position of 0 is that of a new store or of a new source: nothing was lost.
    if (outcome.kind !== 'cursor_ahead' || outcome.known === 0) return outcome;
    const source = { instance: head.instance, epoch: head.epoch, channel };
    epoch.seen(await database.transaction((tx) => epoch.renew(tx, source, clock.newId())));
    return outcome;
  };
  return {
    ...createSites(database, clock),
    storeEvents: async (head, items, rejected, now) => checkEpoch(await database.transaction(async (tx) => {
      const conflicting = { count: 0 };
      const outcome = await receive(tx, { head, channel: 'events', now, rejected }, async ({ tenants, cursor: known }) => {
        const admitted = admitEvents(items, tenants);
        const [results = []] = await ingestBatches(tx, [{ events: admitted.admitted, now }]);
        const fresh = admitted.admitted.filter((_event, index) => results[index]?.duplicate === false);
        conflicting.count = results.filter((result) => result.conflicting).length;
        const duplicates = results.filter((result) => result.duplicate).length;
        return { accepted: results.length - duplicates, duplicates, rejected: admitted.rejected, outgrown: givenTwice(fresh, head, known) };
      });
      if (conflicting.count > 0) log.warn({ instance: head.instance, events: conflicting.count }, 'events came again with other content; the first stands');
      return outcome;
    }), head, 'events'),
    storeChanges: async (head, items, rejected, now, newId) => checkEpoch(await database.transaction((tx) =>
      receive(tx, { head, channel: 'verdicts', now, rejected }, ({ tenants }) =>
        storeChanges(tx, { instance: head.instance, tenants }, items, { now, newId }))), head, 'verdicts'),
    pendingDecisions: (instance, limit) => database.read(async (db) => {
      const rows = await db.select({ id: decisions.id, body: decisions.body }).from(decisions)
        .where(and(eq(decisions.instance, instance), eq(decisions.state, 'pending'))).orderBy(asc(decisions.changeNo)).limit(limit);
      return rows.map((row) => readDecision(row.id, row.body));
    }),
  };
}

interface Received {
  head: BatchHead;
  channel: ChannelName;
  now: number;
  /** Refused for their form. */
  rejected: readonly RejectedItem[];
}

interface Stored {
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
  /** The items show that the sender runs on an old copy. */
  outgrown?: boolean;
}

/** Holds the source's position locked while `store` writes the items, and moves it with them. */
async function receive(tx: Tx, received: Received, store: (source: Source) => Promise<Stored>): Promise<StoreOutcome> {
  const { head, channel } = received;
  const source = await lockSource(tx, head, channel);
  const position: Position = decidePosition(source.cursor, head);
  if (position.kind !== 'in_step') return position;
  const { accepted, duplicates, rejected: refused, outgrown } = await store(source);
  // What was stored is good; the sender sends it again under its new epoch, where it is known.
  if (outgrown) return { kind: 'sender_rolled_back', known: source.cursor };
  const rejected = [...received.rejected, ...refused];
  await tx.client.query(
    `update sources set cursor = $4, received_total = received_total + $5, duplicate_total = duplicate_total + $6,
       rejected_total = rejected_total + $7, last_received_at = greatest(coalesce(last_received_at, 0), $8),
       hub_epoch = (select value from store_facts where name = 'epoch')
     where instance = $1 and epoch = $2 and channel = $3`,
    [head.instance, head.epoch, channel, position.cursor, accepted, duplicates, rejected.length, received.now],
  );
  return { kind: 'stored', accepted, duplicates, cursor: position.cursor, rejected, gap: position.gap };
}

interface Source {
  tenants: ReadonlySet<string>;
  /** The last position stored for this epoch; 0 when it is new. */
  cursor: number;
}

/** @throws AppError 403 site_unknown */
async function lockSource(tx: Tx, head: BatchHead, channel: ChannelName): Promise<Source> {
  const known = async (): Promise<Source | undefined> => {
    const { rows: [row] } = await tx.client.query<{ tenants: string[]; cursor: number }>(
      `select s.tenants, r.cursor from sites s join sources r on r.instance = s.instance
       where s.instance = $1 and s.removed_at is null and r.epoch = $2 and r.channel = $3 for update of r`,
      [head.instance, head.epoch, channel]);
    return row && { tenants: new Set(row.tenants), cursor: row.cursor };
  };
  const found = await known();
  if (found) return found;
  await requireSite(tx, head.instance);
  await tx.db.insert(sources).values({
    instance: head.instance, epoch: head.epoch, channel, cursor: 0, receivedTotal: 0, duplicateTotal: 0, rejectedTotal: 0, lastReceivedAt: null, hubEpoch: null,
  }).onConflictDoNothing();
  const made = await known();
  if (!made) throw siteUnknown(head.instance);
  return made;
}

function readDecision(id: string, body: string): Decision {
  const parsed = JSON.parse(body) as ChangeBody & { kind: Decision['kind']; tenant_code: string };
  return {
    decision_id: id, kind: parsed.kind, tenant_code: parsed.tenant_code, event_key: parsed.event_key, verdict: parsed.verdict ?? '',
    by: parsed.by ?? '', by_kind: parsed.by_kind ?? 'human', note: parsed.note ?? null, merged_into_key: parsed.merged_into_key ?? null,
    judged: parsed.judged ?? null, disposition: parsed.disposition ?? null, at: parsed.at,
  };
}
