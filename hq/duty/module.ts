// Who is called when something happens: the parts put together.
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { CameraNames } from '../../common/core/camera/record.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import type { RetentionHook } from '../../common/core/retention/port.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Catalogue } from '../../common/message.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import { Caller, type CallerOptions } from './call/caller.ts';
import { CallLinks } from './call/link.ts';
import { callRoutes } from './call/routes.ts';
import { type CallMail, CallSender, type CallSenderOptions } from './call/sender.ts';
import { CallService } from './call/service.ts';
import { personRoutes } from './person/routes.ts';
import { PersonService } from './person/service.ts';
import type { CallPort, DutyStore } from './port.ts';
import { PushClient } from './push/client.ts';
import type { PushKeys } from './push/keys.ts';
import { rotaRoutes } from './rota/routes.ts';
import { type RotaGroups, RotaService } from './rota/service.ts';

export interface DutyOptions {
  store: DutyStore;
  events: Pick<EventPort, 'get'>;
  alarms: AlarmPort;
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  client: HttpClient;
  mail: CallMail;
  keys: PushKeys;
  masterKey: Buffer;
  /** The groups of sites that whoever names one may know of. */
  groups: RotaGroups;
  groupsOf: CallerOptions['groupsOf'];
  siteOf: CallSenderOptions['siteOf'];
  publicUrl: CallSenderOptions['publicUrl'];
  /** What people call cameras. */
  cameras: CameraNames;
  clock: Clock;
  log: Logger;
  instance: string;
}

export interface DutyModule {
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** Makes the parts; nothing is called before `start`. */
export function createDuty(options: DutyOptions): DutyModule {
  const { store, clock, log, mail, client, keys, masterKey } = options;
  const push = new PushClient(client, keys, masterKey);
  const links = new CallLinks(masterKey);
  const { siteOf, publicUrl } = options;
  const sender = new CallSender({ store, push, mail, links, siteOf, publicUrl, clock, log });
  const onSendings = (): void => sender.loop.kick();
  const { alarms, messages, instance, events, cameras } = options;
  const { groupsOf, groups } = options;
  const caller = new Caller({
    ...{ store, alarms, messages, cameras, groupsOf, onSendings, clock, log, instance },
  });
  const calls = new CallService({ store, events, alarms, cameras, links, onSendings, clock });
  return {
    routes: [
      ...rotaRoutes(new RotaService(store, groups, clock)),
      ...personRoutes(new PersonService({ store, push, sender, mail, clock })),
      ...callRoutes(calls),
    ],
    metrics: dutyMetrics(caller, sender, push),
    start: () => {
      caller.loop.start();
      sender.loop.start();
    },
    stop: async () => {
      await Promise.all([caller.loop.stop(), sender.loop.stop()]);
      client.close();
    },
  };
}

const dutyMetrics = (caller: Caller, sender: CallSender, push: PushClient): Metric[] => [
  counter('fieldline_calls_begun_total', 'Alarms of which people were called', () => caller.counts.begun),
  counter(
    'fieldline_calls_unanswered_total',
    'Times that everybody of a rota was called and nobody took over',
    () => caller.counts.unanswered,
  ),
  counter(
    'fieldline_call_messages_sent_total',
    'Messages of calls that were taken',
    () => sender.counts.sent,
  ),
  counter(
    'fieldline_call_messages_failed_total',
    'Messages of calls that were given up',
    () => sender.counts.givenUp,
  ),
  counter(
    'fieldline_push_devices_dead_total',
    'Devices that their push service knew no more, and that were removed',
    () => push.counts.gone,
  ),
];

/** Deletes what is kept of calls together with their events. */
export const dutyRetentionHook = (calls: Pick<CallPort, 'forgetEvents'>): RetentionHook => ({
  name: 'calls',
  forget: async (eventIds) => {
    await calls.forgetEvents(eventIds);
    return {};
  },
});
