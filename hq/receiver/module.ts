import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { KeyService } from '../../common/core/key/service.ts';
import type { LoginAttemptPort } from '../../common/core/session/port.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Metric } from '../../common/metrics.ts';
import type { WantPort } from '../evidence/port.ts';
import type { RequestPort } from '../fleet/request/port.ts';
import type { SiteSettingsPort } from '../fleet/settings/port.ts';
import type { SiteUpgradePort } from '../fleet/upgrade/port.ts';
import type { SiteNotificationPort } from '../notification/port.ts';
import type { SiteLibraryPort } from '../policy/site/port.ts';
import { Admission, admissionMetrics, UPLINK_LIMITS } from './admission/admission.ts';
import { TenantsOfSites } from './admission/tenants.ts';
import { SiteAlarms } from './alarm/alarms.ts';
import { BatchAlarms } from './alarm/batch-alarms.ts';
import { ChannelAlarms } from './alarm/channel-alarms.ts';
import { channelRoutes } from './channel-routes.ts';
import { conflictsRoute } from './conflict-routes.ts';
import { Contacts } from './contact/contacts.ts';
import type { SiteNews } from './contact/port.ts';
import { QuietSites } from './contact/quiet.ts';
import type { FleetPort, SiteGroupPort } from './fleet/port.ts';
import { fleetRoutes } from './fleet/routes.ts';
import { flowMetrics } from './flow/metrics.ts';
import type { SiteHourPort } from './hours/port.ts';
import { InboxCalls } from './inbox/calls.ts';
import { Inbox } from './inbox/inbox.ts';
import { decisionReader } from './inbox/kind/decision.ts';
import { groupOrderReader } from './inbox/kind/group-order.ts';
import { libraryReader } from './inbox/kind/library.ts';
import { orderReader } from './inbox/kind/order.ts';
import { requestReader } from './inbox/kind/request.ts';
import { settingsReader } from './inbox/kind/settings.ts';
import { upgradeReader } from './inbox/kind/upgrade.ts';
import { type OpenWants, wantReader } from './inbox/kind/want.ts';
import type { InboxPort } from './inbox/port.ts';
import { inboxRoute } from './inbox/routes.ts';
import { Waiters, waitersMetric } from './inbox/waiters.ts';
import { JoiningCodes } from './join/codes.ts';
import type { JoiningCodePort } from './join/port.ts';
import { joiningRoutes } from './join/routes.ts';
import { receiverMetrics } from './metrics.ts';
import type { OrderPort } from './order/port.ts';
import { ordersRoute } from './order/routes.ts';
import type { DecisionPort, ReceiverPort, SitePort } from './port.ts';
import { SiteReports } from './report.ts';
import { ReceiverService } from './service.ts';
import { Silence } from './silence/silence.ts';
import { siteRoutes } from './site-routes.ts';
import { SiteRegistry } from './sites.ts';
import { statusRoutes } from './status-routes.ts';
import { UplinkStatus } from './uplink-status.ts';
import type { SiteZonePort } from './zone/port.ts';

/** Calls of sites that are held at a time: each keeps a connection, and there must be some for others. */
const MOST_HELD = 4_096;

export interface ReceiverParts {
  receiver: ReceiverPort;
  sites: SitePort & SiteZonePort & FleetPort;
  groups: SiteGroupPort;
  /** Tells what other processes change of a site. */
  news: SiteNews;
  hours: SiteHourPort;
  decisions: DecisionPort;
  orders: OrderPort;
  wants: Pick<WantPort, 'overview' | 'counts'>;
  notifications: Pick<SiteNotificationPort, 'counts'>;
  keys: KeyService;
  joiningCodes: JoiningCodePort;
  /** Guesses at joining codes are counted with those at passwords. */
  attempts: LoginAttemptPort;
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  /** Epoch of this store. */
  epoch: () => string;
  /** Name of headquarters, under which it raises alarms. */
  instance: string;
  /** Told how many events of a batch came under idempotency keys of other events. */
  onConflicts: (count: number) => void;
  /** What waits for the sites. */
  inbox: InboxPort;
  openWants: OpenWants;
  libraries: Pick<SiteLibraryPort, 'open'>;
  settings: Pick<SiteSettingsPort, 'open'>;
  requests: Pick<RequestPort, 'goingDown'>;
  upgrades: Pick<SiteUpgradePort, 'open'>;
}

export interface Receiver {
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
  /** Answers the calls that are held, before the listener closes. */
  release(): void;
  /** Batches of sites that wait to be stored. */
  batchesWaiting(): number;
}

const quietSites = ({ news, clock, epoch, sites }: ReceiverParts): QuietSites =>
  new QuietSites(news, clock, epoch, async (instance) => (await sites.get(instance))?.tenants ?? null);

/** What sites call, the status of their uplinks, and their registry (DESIGN.md, "Uplink"). */
export function createReceiver(parts: ReceiverParts): Receiver {
  const { receiver, sites, hours, decisions, orders, wants, notifications, clock, log, instance } = parts;
  const contacts = new Contacts({ sites, clock, log });
  const tenants = new TenantsOfSites(sites, clock, log);
  const admission = new Admission(UPLINK_LIMITS, {
    groupOf: (site) => tenants.of(site),
    monotonic: () => performance.now(),
  });
  const waiters = new Waiters(parts.news, MOST_HELD);
  const { service, calls } = createAnswering(parts, contacts, waiters);
  const uplinks = new UplinkStatus(
    { receiver, sites, contacts, hours, decisions, orders, wants, notifications },
    clock,
    instance,
  );
  const silence = silenceOf(parts, contacts);
  const registry = new SiteRegistry(sites, parts.keys, clock, instance);
  const { attempts } = parts;
  return {
    routes: [
      ...channelRoutes(service, admission),
      inboxRoute(calls),
      ...statusRoutes(uplinks),
      conflictsRoute(uplinks),
      ordersRoute(orders),
      ...siteRoutes(registry),
      ...fleetRoutes(uplinks, registry, parts.groups),
      ...joiningRoutes(new JoiningCodes({ codes: parts.joiningCodes, registry, attempts, clock })),
    ],
    metrics: [
      ...receiverMetrics(service.counts, decisions, orders),
      ...admissionMetrics(admission),
      waitersMetric(waiters),
      ...flowMetrics(uplinks, clock),
      ...silence.metrics(),
    ],
    start: () => {
      contacts.loop.start();
      silence.loop.start();
    },
    stop: async () => {
      await silence.loop.stop();
      await contacts.stop();
    },
    release: () => waiters.close(),
    batchesWaiting: () => admission.waiting,
  };
}

function silenceOf({ sites, alarms, clock, log, instance }: ReceiverParts, contacts: Contacts): Silence {
  const siteAlarms = new SiteAlarms({ alarms, sites, clock, log, self: instance });
  const silence = new Silence({ sites, contacts, alarms, siteAlarms, clock, log });
  contacts.onCall((site) => silence.called(site));
  return silence;
}

/** What answers the calls of sites. */
function createAnswering(
  parts: ReceiverParts,
  contacts: Contacts,
  waiters: Waiters,
): { service: ReceiverService; calls: InboxCalls } {
  const { receiver, sites, hours, decisions, orders, alarms, clock, log, instance, epoch } = parts;
  const siteAlarms = new SiteAlarms({ alarms, sites, clock, log, self: instance });
  const batchAlarms = new BatchAlarms(siteAlarms);
  const quiet = quietSites(parts);
  const readers = [
    decisionReader(decisions, instance),
    orderReader(orders),
    groupOrderReader(orders),
    wantReader(parts.openWants),
    libraryReader(parts.libraries),
    settingsReader(parts.settings),
    requestReader(parts.requests, clock),
    upgradeReader(parts.upgrades),
  ];
  const inbox = new Inbox({ inbox: parts.inbox, readers, quiet, epoch, clock, log });
  const reports = new SiteReports({ sites, hours, alarms, siteAlarms, clock, log, self: instance });
  const service = new ReceiverService({
    receiver,
    contacts,
    quiet,
    reports,
    batchAlarms,
    channelAlarms: new ChannelAlarms(siteAlarms),
    clock,
    epoch,
    self: instance,
    onConflicts: parts.onConflicts,
  });
  const calls = new InboxCalls({ waiters, inbox, quiet, contacts, reports, epoch });
  return { service, calls };
}
