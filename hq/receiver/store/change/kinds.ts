// The log of a site, by what its items are of.
import type { Stamp } from '../../../../common/clock.ts';
import {
  type ChangeItem,
  isJudgement,
  type JudgementKind,
  judgementKinds,
} from '../../../../common/uplink/change/item.ts';
import { takeMessages } from '../../../store/adapter/site-feedback.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { tenantNotAllowed } from '../../decide.ts';
import type { KnownEvent } from '../../judgement-plan.ts';
import type { RefusedOrder } from '../../order/record.ts';
import type { ReceivedChange } from '../../port.ts';
import { joined } from '../apart.ts';
import type { Stored } from '../source-position.ts';
import type { WorkSource } from './context.ts';
import { eventsOf } from './event-names.ts';
import { lockJudged, storeJudgements } from './judgements.ts';
import { noteLibrary } from './library.ts';
import { noteUnclear, settleOrder } from './order.ts';
import { noteAnswer } from './request.ts';
import { noteSettings } from './settings.ts';
import { storeSubjects } from './subjects.ts';
import { noteUpgrade } from './upgrade.ts';

type Kind = ReceivedChange['kind'];
type Of<K extends Kind> = Extract<ReceivedChange, { kind: K }>;
/** What the items of a batch are stored with. */
interface Storing {
  tx: Tx;
  source: WorkSource;
  stamp: Stamp;
  /** The events that its judgements are on, locked. */
  judged: ReadonlyMap<string, KnownEvent>;
}
/** @returns null where none of the items is of its kinds; each of these is refused alone */
type Writer = (storing: Storing, items: readonly ReceivedChange[]) => Promise<Stored> | null;

function writer<const K extends Kind>(
  kinds: readonly K[],
  store: (storing: Storing, items: readonly Of<K>[]) => Promise<Stored>,
): Writer {
  const known: ReadonlySet<Kind> = new Set(kinds);
  const isOf = (item: ReceivedChange): item is Of<K> => known.has(item.kind);
  return (storing, items) => {
    const own = items.filter(isOf);
    return own.length === 0 ? null : store(storing, own);
  };
}

const NOTHING: Stored = { accepted: 0, duplicates: 0, rejected: [] };

/**
 * In the order in which everybody locks, after the events that are judged: layers and tasks, then the counter
 * of verdicts, which is held for the least time. Orders come after tasks, so that a task that one had made is
 * known by its id.
 */
const WRITERS: readonly Writer[] = [
  writer(['task', 'group'], ({ tx, source, stamp }, items) => storeSubjects(tx, source, items, stamp)),
  writer(['feedback'], async ({ tx, source }, items) => {
    const { accepted, rejected } = await takeMessages(tx, items, await eventsOf(tx, source, items));
    return { accepted, duplicates: 0, rejected };
  }),
  writer(['order'], async ({ tx, source, stamp }, items) => {
    const stored = { ...NOTHING, refusedOrders: new Array<RefusedOrder>() };
    for (const answer of items) {
      const { fresh, refused } = await settleOrder(tx, source, answer, stamp);
      stored[fresh ? 'accepted' : 'duplicates'] += 1;
      if (refused) stored.refusedOrders.push(refused);
    }
    return stored;
  }),
  writer(['library'], async ({ tx, source }, items) => {
    const stored = { ...NOTHING };
    for (const item of items) stored[(await noteLibrary(tx, source, item)) ? 'accepted' : 'duplicates'] += 1;
    return stored;
  }),
  writer(['settings'], async ({ tx, source }, items) => {
    const stored = { ...NOTHING };
    for (const item of items) stored[(await noteSettings(tx, source, item)) ? 'accepted' : 'duplicates'] += 1;
    return stored;
  }),
  writer(['upgrade'], async ({ tx, source }, items) => {
    const stored = { ...NOTHING };
    for (const item of items) stored[(await noteUpgrade(tx, source, item)) ? 'accepted' : 'duplicates'] += 1;
    return stored;
  }),
  writer(['request'], async ({ tx, source }, items) => {
    const stored = { ...NOTHING };
    for (const item of items) stored[(await noteAnswer(tx, source, item)) ? 'accepted' : 'duplicates'] += 1;
    return stored;
  }),
  writer(['unread'], async ({ tx, source, stamp }, items) => {
    const refusedOrders: RefusedOrder[] = [];
    for (const answer of items) refusedOrders.push(...(await noteUnclear(tx, source, answer, stamp)));
    return { ...NOTHING, refusedOrders };
  }),
  writer(judgementKinds, ({ tx, source, stamp, judged }, items) =>
    storeJudgements(tx, source, items, judged, stamp),
  ),
];

const judges = (item: ReceivedChange): item is Of<JudgementKind> => isJudgement(item.kind);

/**
 * Kinds whose tenant the writer itself has to look at: their event or order may be here no more, or the site
 * may have lost the tenant. A new kind is looked at here, unless it is named.
 */
const OF_ANY_TENANT: ReadonlySet<Kind> = new Set([
  ...judgementKinds,
  ...(['order', 'unread', 'library', 'request'] as const),
]);

export async function storeChanges(
  tx: Tx,
  source: WorkSource,
  items: readonly ReceivedChange[],
  stamp: Stamp,
): Promise<Stored> {
  const foreign = (item: ReceivedChange): item is Extract<ChangeItem, { tenant_code: string }> =>
    'tenant_code' in item && !OF_ANY_TENANT.has(item.kind) && !source.tenants.has(item.tenant_code);
  const rejected = items
    .filter(foreign)
    .map(({ change_no: no, tenant_code: tenant }) => tenantNotAllowed(no, tenant));
  const admitted: ReceivedChange[] = items.filter((item) => !foreign(item));
  const judged = await lockJudged(tx, admitted.filter(judges));
  let stored: Stored = { ...NOTHING, rejected };
  for (const write of WRITERS) {
    const part = await write({ tx, source, stamp, judged }, admitted);
    if (part) stored = joined(stored, part);
  }
  return stored;
}
