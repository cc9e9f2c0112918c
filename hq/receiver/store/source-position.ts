// The position of each source, and how a batch moves it.
import type { ChannelName, RejectedItem } from '../../../common/uplink/wire.ts';
import { prepared, type Tx } from '../../store/engine/database.ts';
import { decideEpoch, decidePosition, type Position } from '../decide.ts';
import type { RefusedOrder } from '../order/record.ts';
import type {
  BatchHead,
  EventConflict,
  FailedItem,
  ForeignChange,
  RefusedDecision,
  StoreOutcome,
} from '../port.ts';
import { requireSites, siteUnknown } from './registered.ts';

export interface Received {
  head: BatchHead;
  now: number;
  /** Refused for their form. */
  rejected: readonly RejectedItem[];
}

export interface Stored {
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
  conflicts?: EventConflict[];
  foreign?: ForeignChange[];
  refused?: RefusedDecision[];
  refusedOrders?: RefusedOrder[];
  failed?: FailedItem[];
  sameAs?: string | null;
  /** The items show that the sender runs on an old copy. */
  outgrown?: boolean;
}

/** Holds the source's position locked while `store` writes the items, and moves it with them. */
export async function receive(
  tx: Tx,
  received: Received,
  channel: ChannelName,
  store: (source: Source) => Promise<Stored>,
): Promise<StoreOutcome> {
  const [outcome] = await receiveAll(tx, [received], channel, async ([inStep]) => [
    await store((inStep as InStep<Received>).source),
  ]);
  return outcome as StoreOutcome;
}

/** A batch that is stored, and its source. */
export interface InStep<R> {
  received: R;
  source: Source;
}

/**
 * The same for batches of several sources.
 * @param received one of a source
 * @param store writes the items of all that are to be stored
 * @returns one for each of `received`
 */
export async function receiveAll<R extends Received>(
  tx: Tx,
  received: readonly R[],
  channel: ChannelName,
  store: (inStep: InStep<R>[]) => Promise<Stored[]>,
): Promise<StoreOutcome[]> {
  const sources = await lockSources(
    tx,
    received.map(({ head }) => head),
    channel,
  );
  const places = received.map((one, index) => {
    const source = sources[index] as Source;
    return { received: one, source, position: decidePosition(source.cursor, one.head) };
  });
  const inStep = places.filter(({ position }) => position.kind === 'in_step');
  const stored = inStep.length > 0 ? await store(inStep) : [];
  const moves: Move[] = [];
  const outcomes = places.map((place): StoreOutcome => {
    const { position, source } = place;
    if (position.kind !== 'in_step') return position;
    const found = stored[inStep.indexOf(place)] as Stored;
    // The items that were stored stay; the sender sends them again under its new epoch, where they are
    // recognized.
    if (found.outgrown) return { kind: 'sender_rolled_back', known: source.cursor };
    const { move, outcome } = moved(place.received, source, position, found);
    moves.push(move);
    return outcome;
  });
  if (moves.length > 0) await moveSources(tx, moves, channel);
  if (!stored.some(hasItems) && !moves.some(({ moves: further }) => further)) await waitForNoDisk(tx);
  return outcomes;
}

const hasItems = ({ accepted, duplicates, rejected }: Stored): boolean =>
  accepted + duplicates + rejected.length > 0;

/**
 * What a crash takes of calls that brought nothing, they say again: after a start those of all sites would
 * otherwise stand in line for the disk.
 */
const waitForNoDisk = async (tx: Tx): Promise<void> =>
  void (await tx.client.query('set local synchronous_commit = off'));

type InPosition = Extract<Position, { kind: 'in_step' }>;

function moved(
  { head, now, rejected: malformed }: Received,
  source: Source,
  position: InPosition,
  stored: Stored,
): { move: Move; outcome: StoreOutcome } {
  const { accepted, duplicates } = stored;
  const { conflicts = [], foreign = [], refused = [], refusedOrders = [], failed = [] } = stored;
  const { sameAs = null } = stored;
  const { cursor, gap, newStore } = decideEpoch(position, head, source.earlier);
  const rejected = [...malformed, ...stored.rejected];
  const conflicting = conflicts.length + foreign.length;
  const found = { conflicts, foreign, refused, refusedOrders, failed, sameAs, newStore };
  return {
    move: {
      ...{ head, now, cursor, accepted, duplicates, rejected: rejected.length, conflicting },
      moves: cursor !== source.cursor || rejected.length > 0,
    },
    outcome: { kind: 'stored', accepted, duplicates, cursor, rejected, gap, ...found },
  };
}

interface Move {
  head: BatchHead;
  now: number;
  cursor: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  conflicting: number;
  /** Whether it changes more than when the site was heard. */
  moves: boolean;
}

async function moveSources(tx: Tx, moves: readonly Move[], channel: ChannelName): Promise<void> {
  await prepared(
    tx,
    'move_sources',
    `update sources t set cursor = m.cursor, received_total = t.received_total + m.accepted,
       duplicate_total = t.duplicate_total + m.duplicates, rejected_total = t.rejected_total + m.rejected,
       conflict_total = t.conflict_total + m.conflicting, heard_at = greatest(coalesce(t.heard_at, 0), m.now),
       last_received_at = case when m.accepted + m.duplicates + m.rejected > 0
         then greatest(coalesce(t.last_received_at, 0), m.now) else t.last_received_at end,
       hub_epoch = (select value from store_facts where name = 'epoch')
     from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[]) as m (instance, epoch, cursor, accepted, duplicates, rejected, conflicting, now)
     where t.instance = m.instance and t.epoch = m.epoch and t.channel = $1`,
    [
      channel,
      moves.map(({ head }) => head.instance),
      moves.map(({ head }) => head.epoch),
      moves.map(({ cursor }) => cursor),
      moves.map(({ accepted }) => accepted),
      moves.map(({ duplicates }) => duplicates),
      moves.map(({ rejected }) => rejected),
      moves.map(({ conflicting }) => conflicting),
      moves.map(({ now }) => now),
    ],
  );
}

export interface Source {
  tenants: ReadonlySet<string>;
  /** The site's own name, and those that it continues. */
  owned: ReadonlySet<string>;
  /** The last position stored for this epoch; 0 when it is new. */
  cursor: number;
  /** For the first batch of an epoch: the newest position of any earlier one; null where there is none. */
  earlier: number | null;
  /** Whether conflicts of its events are kept. */
  conflicting: boolean;
}

/** @returns one for each head @throws AppError 403 site_unknown */
async function lockSources(tx: Tx, heads: readonly BatchHead[], channel: ChannelName): Promise<Source[]> {
  // Everybody locks them in the same order.
  const sorted = [...heads].sort((a, b) => compare(a.instance, b.instance) || compare(a.epoch, b.epoch));
  const found = await lockKnown(tx, sorted, channel);
  const unknown = sorted.filter((head) => !found.has(head));
  if (unknown.length > 0) {
    await requireSites(
      tx,
      unknown.map(({ instance }) => instance),
    );
    await tx.client.query(
      `insert into sources (instance, epoch, channel, cursor, received_total, duplicate_total, rejected_total,
         conflict_total)
       select n.instance, n.epoch, $3, 0, 0, 0, 0, 0
       from unnest($1::text[], $2::text[]) as n (instance, epoch)
       on conflict do nothing`,
      [unknown.map(({ instance }) => instance), unknown.map(({ epoch }) => epoch), channel],
    );
    for (const [head, source] of await lockKnown(tx, unknown, channel)) found.set(head, source);
  }
  return heads.map((head) => {
    const source = found.get(head);
    if (!source) throw siteUnknown(head.instance);
    return source;
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Each is looked up by itself, and in the order given. */
async function lockKnown(
  tx: Tx,
  heads: readonly BatchHead[],
  channel: ChannelName,
): Promise<Map<BatchHead, Source>> {
  const { rows } = await prepared<{
    no: number;
    tenants: string[];
    continues: string[];
    cursor: number;
    earlier: number | null;
    conflicting: boolean;
  }>(
    tx,
    'lock_sources',
    `select n.no, s.tenants, s.continues, r.cursor,
       exists (select from event_conflicts c where c.instance = n.instance) as conflicting,
       case when r.cursor = 0 and r.heard_at is null then (select max(o.cursor) from sources o
         where o.instance = n.instance and o.channel = $3 and o.epoch <> n.epoch) end as earlier
     from unnest($1::text[], $2::text[]) with ordinality as n (instance, epoch, no)
       cross join lateral (select t.tenants, t.continues from sites t
         where t.instance = n.instance and t.removed_at is null limit 1) s
       cross join lateral (select o.cursor, o.heard_at from sources o
         where o.instance = n.instance and o.epoch = n.epoch and o.channel = $3 for update) r`,
    [heads.map(({ instance }) => instance), heads.map(({ epoch }) => epoch), channel],
  );
  return new Map(
    rows.map(({ no, tenants, continues, cursor, earlier, conflicting }) => {
      const head = heads[no - 1] as BatchHead;
      const owned = new Set([head.instance, ...continues]);
      return [head, { tenants: new Set(tenants), owned, cursor, earlier, conflicting }];
    }),
  );
}
