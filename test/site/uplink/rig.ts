// A sender on the real store, with a hub of the test's own and a clock that only the test moves.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AlarmRecord } from '../../../common/core/alarm/port.ts';
import { FeedbackSender } from '../../../common/core/feedback/sender.ts';
import { silentLogger } from '../../../common/log.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { UplinkAlarms } from '../../../site/uplink/alarms.ts';
import { Inbox } from '../../../site/uplink/inbox/inbox.ts';
import { decisionDriver } from '../../../site/uplink/inbox/kind/decision.ts';
import { groupOrderDriver } from '../../../site/uplink/inbox/kind/group-order.ts';
import { libraryDriver } from '../../../site/uplink/inbox/kind/library.ts';
import { orderDriver } from '../../../site/uplink/inbox/kind/order.ts';
import { requestDriver } from '../../../site/uplink/inbox/kind/request.ts';
import { settingsDriver } from '../../../site/uplink/inbox/kind/settings.ts';
import { upgradeDriver } from '../../../site/uplink/inbox/kind/upgrade.ts';
import { wantDriver } from '../../../site/uplink/inbox/kind/want.ts';
import { Orders } from '../../../site/uplink/order/orders.ts';
import { ParkedService } from '../../../site/uplink/parked.ts';
import type { Report } from '../../../site/uplink/report.ts';
import { UplinkSender } from '../../../site/uplink/sender.ts';
import type { SenderOptions } from '../../../site/uplink/sender-options.ts';
import { newEvent, range, verdictOn } from '../../contract/samples.ts';
import { SECOND, TestClock } from '../../support/clock.ts';
import { HubDouble } from './hub-double.ts';

/** Longer than a channel waits for more once it was emptied, ms. */
const PAUSE = 200;

export interface Rig {
  /** Of the store. */
  dir: string;
  clock: TestClock;
  store: SiteStore;
  hub: HubDouble;
  sender: UplinkSender;
  parked: ParkedService;
  /** Feedback rows that were announced. */
  told: string[];
  orders: Orders;
  /** Tells cameras of what was judged. */
  camera: FeedbackSender;
  /** One round, a second after the one before. */
  round(): Promise<void>;
  /**
   * A second passes, then rounds until one finds nothing to do at once; then what stands in the inbox is
   * carried out, and its answers go up, unless the test polls the inbox itself and gave `holdMs`.
   */
  drain(): Promise<void>;
  /** What stands in the inbox is carried out, and its answers stay here. */
  takeDown(): Promise<void>;
  /** Of one channel alone. */
  drainEvents(): Promise<void>;
  drainChanges(): Promise<void>;
  events(count: number, prefix?: string): Promise<number[]>;
  judge(eventId: number): Promise<void>;
  cursor(channel: ChannelName): number;
  alarm(key: string): Promise<AlarmRecord | undefined>;
  close(): Promise<void>;
}

/** No file is ever brought. */
/** Notes no file that is wanted. */
const NO_FILES = { take: () => Promise.resolve() };

export interface RigOptions extends Partial<SenderOptions> {
  report?: Parameters<Report['madeBy']>[0];
}

export async function openRig({ report, ...over }: RigOptions = {}): Promise<Rig> {
  const clock = new TestClock();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-uplink-'));
  const store = await openSiteStore({ dir, clock, log: silentLogger() });
  const hub = new HubDouble();
  await hub.open();
  const client = createHttpClient();
  const told: string[] = [];
  const camera = new FeedbackSender({
    feedback: store.feedback,
    signingSecret: () => Promise.resolve(null),
    client,
    clock,
    log: silentLogger(),
  });
  const orders = new Orders({
    orders: store.orders,
    feedback: store.feedback,
    firstTry: (id, reader) => camera.firstTry(id, reader),
    clock,
    log: silentLogger(),
  });
  const { events, verdicts } = store;
  const onWritten = (id: string): void => void told.push(id);
  const drivers = {
    decision: decisionDriver({ events, verdicts, clock, instance: 'site-1', onWritten }),
    order: orderDriver({ orders: store.orders, events, clock, onCarried: () => undefined }),
    group_order: groupOrderDriver({ groupOrders: store.groupOrders, orders: store.orders, events, clock }),
    want: wantDriver(NO_FILES),
    library: libraryDriver(NO_FILES),
    settings: settingsDriver({ take: () => Promise.resolve('carried_out') }),
    request: requestDriver({ take: () => Promise.resolve('carried_out') }),
    upgrade: upgradeDriver({ take: () => Promise.resolve('carried_out') }),
  };
  const alarms = new UplinkAlarms(store.alarms, 'site-1', clock);
  const inbox = new Inbox({
    inbox: store.inbox,
    drivers,
    onFailing: (count, reason) => alarms.inbox(count, reason),
    clock,
    log: silentLogger(),
    random: () => 0.5,
  });
  const sender = new UplinkSender({
    store,
    client,
    url: hub.url,
    key: () => ({ keyId: 'site-key', secret: 'secret' }),
    instance: 'site-1',
    version: '0',
    batch: 10,
    clock,
    log: silentLogger(),
    alarms: store.alarms,
    random: () => 0.5,
    evidence: { answered: () => undefined },
    notifications: { answered: () => undefined },
    inbox,
    pollClient: client,
    holdMs: 0,
    ...over,
  });
  if (report) sender.report.madeBy(report);
  const signal = new AbortController().signal;
  /** A round of events and one of changes, which have loops of their own. */
  const up = async (): Promise<{ again: boolean }> => {
    const [events, changes] = [await sender.round(signal), await sender.changes.round(signal)];
    return { again: events.again || changes.again };
  };
  return {
    dir,
    clock,
    store,
    hub,
    sender,
    told,
    orders,
    camera,
    parked: new ParkedService({ uplink: store.uplink, sender, clock }),
    round: async () => {
      clock.advance(SECOND);
      await up();
    },
    drain: async () => {
      clock.advance(SECOND);
      await untilRest(up);
      if (over.holdMs !== undefined) return;
      await untilRest(() => sender.poll.round(signal));
      await untilRest(() => inbox.round(signal));
      // After an answer that emptied it a channel waits a little for more.
      if (store.changes.head() > store.uplink.channel('verdicts').cursor) clock.advance(PAUSE);
      await untilRest(up);
    },
    takeDown: async () => {
      clock.advance(SECOND);
      await untilRest(() => sender.poll.round(signal));
      await untilRest(() => inbox.round(signal));
    },
    drainEvents: async () => {
      clock.advance(SECOND);
      await untilRest(() => sender.round(signal));
    },
    drainChanges: async () => {
      clock.advance(SECOND);
      await untilRest(() => sender.changes.round(signal));
    },
    events: async (count, prefix = 'e') =>
      (
        await store.events.ingest(
          range(count, (index) => newEvent(`${prefix}${index}`)),
          clock.now(),
        )
      ).map(({ id }) => id),
    judge: async (eventId) =>
      void (await store.verdicts.write(verdictOn(eventId), { now: clock.now(), newId: () => clock.newId() })),
    cursor: (channel) => store.uplink.channel(channel).cursor,
    alarm: async (key) =>
      (await store.alarms.list({ tenantCode: null, includeCleared: true }, 100)).find(
        (alarm) => alarm.key === key,
      ),
    close: async () => {
      await sender.stop();
      client.close();
      await hub.close();
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function untilRest(round: () => Promise<{ again: boolean }>): Promise<void> {
  for (let rounds = 0; (await round()).again; rounds += 1)
    if (rounds > 1_000) throw new Error('the sender does not come to rest');
}
