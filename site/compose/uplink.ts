import type { EventEmitter } from 'node:events';
import type { Core } from '../../common/core/core.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import type { Logger } from '../../common/log.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import type { LibraryLoader } from '../policy/loader.ts';
import type { Operations } from '../status/operations.ts';
import type { Upgrades } from '../upgrade/upgrades.ts';
import { UplinkAlarms } from '../uplink/alarms.ts';
import type { EvidenceSender } from '../uplink/evidence/sender.ts';
import { Inbox } from '../uplink/inbox/inbox.ts';
import { decisionDriver } from '../uplink/inbox/kind/decision.ts';
import { groupOrderDriver } from '../uplink/inbox/kind/group-order.ts';
import { libraryDriver } from '../uplink/inbox/kind/library.ts';
import { orderDriver } from '../uplink/inbox/kind/order.ts';
import { requestDriver, type RequestTaker } from '../uplink/inbox/kind/request.ts';
import { settingsDriver } from '../uplink/inbox/kind/settings.ts';
import { upgradeDriver } from '../uplink/inbox/kind/upgrade.ts';
import { wantDriver } from '../uplink/inbox/kind/want.ts';
import { NotificationHandover } from '../uplink/notification/sender.ts';
import { Orders } from '../uplink/order/orders.ts';
import { UplinkSender } from '../uplink/sender.ts';
import type { StatusOptions } from '../uplink/status.ts';
import type { Base } from './base.ts';
import { type CareParts, createCare } from './care.ts';
import type { DeviceGround } from './devices.ts';
import { createEvidenceSender } from './evidence.ts';
import { createLibraryLoader } from './library.ts';
import { createUpgrades } from './upgrade.ts';

/** `waiting`: something new is to be sent to headquarters; `evidence`: a file has come. */
export type UplinkWork = EventEmitter<{ waiting: []; evidence: [] }>;

/** What sends to headquarters, and fetches from it; null without one. */
interface UplinkParts {
  sender: UplinkSender | null;
  evidence: EvidenceSender | null;
  orders: Orders | null;
  library: LibraryLoader | null;
  care: CareParts | null;
  upgrades: Upgrades | null;
  start: () => void;
}

/** The sender to headquarters, and what the status of the uplink is read from. */
export function createUplink(
  base: Base,
  core: Core,
  operations: Operations,
  work: UplinkWork,
  { notifications, ground }: { notifications: NotificationHandover | null; ground: DeviceGround },
): StatusOptions & UplinkParts {
  const { config, store, clock } = base;
  const { instance, uplink } = config;
  const statusOf = (sender: UplinkSender | null) => ({ store, sender, instance, clock });
  if (!uplink || !notifications) return { ...statusOf(null), ...NOTHING };
  const evidence = createEvidenceSender(base, uplink, core, ground.neverComes);
  const onAnswer = (): void => void work.emit('waiting');
  const care = createCare(base, uplink, { evidence, ground, onAnswer });
  const upgrades = createUpgrades(base, uplink, { evidence, onStep: onAnswer });
  const orders = createOrders(base, core);
  let sending: UplinkSender | null = null;
  const library = createLibraryLoader(base, uplink, {
    tenants: () => sending?.tenants ?? null,
    linked: () => sending?.link.state === 'up',
  });
  const sender = createSender(base, uplink, {
    inbox: createInbox(base, core, { evidence, orders, library, care: care.care, upgrades }),
    upgrades,
    evidence,
    notifications,
  });
  sending = sender;
  const start = (): void => {
    sender.start();
    for (const { loop } of [evidence, notifications, orders, library, upgrades]) loop.start();
  };
  const status = { ...statusOf(sender), evidence, notifications, orders, library, care, upgrades, start };
  sender.report.madeBy((order) => operations.report(status, order));
  work.on('waiting', () => sender.notify());
  work.on('evidence', () => evidence.notify());
  base.settings.onChange(() => sender.notify());
  return status;
}

const NOTHING = {
  evidence: null,
  notifications: null,
  orders: null,
  library: null,
  care: null,
  upgrades: null,
  start: () => undefined,
};

function createSender(
  { config, store, settings, clock, log, lifecycle }: Base,
  { url, keyRef, intervalMs, batch }: NonNullable<SiteConfig['uplink']>,
  {
    inbox,
    evidence,
    notifications,
    upgrades,
  }: {
    inbox: Inbox;
    evidence: EvidenceSender;
    notifications: NotificationHandover;
    upgrades: Upgrades;
  },
): UplinkSender {
  const { instance } = config;
  const client = createHttpClient();
  lifecycle.onStop('uplink client', () => client.close());
  const pollClient = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('client of the inbox', () => pollClient.close());
  const confirming = (way: HttpClient): HttpClient =>
    telling(
      way,
      () => clock.monotonic(),
      (began) => {
        settings.answered(began);
        upgrades.answered();
      },
    );
  const sender = new UplinkSender({
    store,
    inbox,
    client: confirming(client),
    pollClient: confirming(pollClient),
    instance,
    version,
    clock,
    log,
    alarms: store.alarms,
    url,
    interval: intervalMs,
    batch,
    key: () => readKeyText(keyRef, config.secrets),
    evidence,
    notifications,
  });
  lifecycle.onStop('uplink', () => sender.stop());
  return sender;
}

/** The same way out. @param told of each call that was answered well, by when it began, monotonic ms */
const telling = (way: HttpClient, now: () => number, told: (began: number) => void): HttpClient => ({
  send: async (request) => {
    const began = now();
    const answer = await way.send(request);
    if (answer.status < 300) told(began);
    return answer;
  },
  close: () => way.close(),
});

interface InboxWork {
  evidence: EvidenceSender;
  orders: Orders;
  library: LibraryLoader;
  care: RequestTaker;
  upgrades: Upgrades;
}

/** What headquarters has for this site: a kind of it is one driver, and one line here. */
function createInbox(
  { config, store, settings, clock, log }: Base,
  core: Core,
  { evidence, orders, library, care, upgrades }: InboxWork,
): Inbox {
  const { events, verdicts, orders: answered, groupOrders } = store;
  const { instance } = config;
  const onWritten = (feedbackId: string): void => tellCamera(core, feedbackId, log);
  const alarms = new UplinkAlarms(store.alarms, instance, clock);
  return new Inbox({
    inbox: store.inbox,
    drivers: {
      decision: decisionDriver({ events, verdicts, clock, instance, onWritten }),
      order: orderDriver({ orders: answered, events, clock, onCarried: () => orders.loop.kick() }),
      group_order: groupOrderDriver({ groupOrders, orders: answered, events, clock }),
      want: wantDriver(evidence),
      library: libraryDriver(library),
      settings: settingsDriver(settings),
      request: requestDriver(care),
      upgrade: upgradeDriver(upgrades),
    },
    onFailing: (count, reason) => alarms.inbox(count, reason),
    clock,
    log,
  });
}

function tellCamera(core: Core, feedbackId: string, log: Logger): void {
  core.feedback
    .firstTry(feedbackId, { tenantCode: null })
    .catch((error: unknown) => log.warn({ err: error }, 'the first feedback try failed'));
}

/**
 * Tells cameras of orders. The sender of the uplink, with the inbox that brings them, is stopped before it.
 */
function createOrders({ store, clock, log, lifecycle }: Base, core: Core): Orders {
  const orders = new Orders({
    orders: store.orders,
    feedback: store.feedback,
    firstTry: (id, reader) => core.feedback.firstTry(id, reader),
    clock,
    log,
  });
  lifecycle.onStop('uplink orders', () => orders.loop.stop());
  return orders;
}

/** Hands notifications up that no channel of this site can deliver; null without headquarters. */
export function createNotificationHandover({
  config,
  store,
  clock,
  log,
  lifecycle,
}: Base): NotificationHandover | null {
  const { instance, uplink } = config;
  if (!uplink) return null;
  const client = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('notifications client', () => client.close());
  const handover = new NotificationHandover({
    handover: store.handover,
    client,
    key: () => readKeyText(uplink.keyRef, config.secrets),
    url: uplink.url,
    envelope: () => ({ version, instance, epoch: store.epoch() }),
    alarms: store.alarms,
    self: instance,
    clock,
    log,
  });
  lifecycle.onStop('uplink notifications', () => handover.loop.stop());
  return handover;
}
