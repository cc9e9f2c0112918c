// Who is called when something happens, with the ways by which people are reached.
import type { AgentModule } from '../../common/agent/create.ts';
import { STANDARD_ZONE } from '../../common/time.ts';
import { cameraNames } from '../camera/names.ts';
import type { CallMail } from '../duty/call/sender.ts';
import { createDuty } from '../duty/module.ts';
import type { PushKeys } from '../duty/push/keys.ts';
import { OPERATORS } from '../duty/rota/record.ts';
import { createHttpClient } from '../http-client.ts';
import { hubMessages } from '../hub-messages.ts';
import { siteZones } from '../receiver/site-names.ts';
import type { Base, HubModule } from './base.ts';

/** Push services are where webhooks may be sent: any user names one, as the address of a browser. */
export function dutyOf(base: Base, agent: Pick<AgentModule, 'deliver'>, keys: PushKeys): HubModule {
  const { config, store, secrets, clock, log, lifecycle } = base;
  const { masterKey } = secrets;
  const zones = siteZones(store.sites, clock);
  const duty = createDuty({
    store: store.duty,
    events: store.events,
    alarms: store.alarms,
    messages: hubMessages,
    client: createHttpClient(config.webhookNetworks, { resolve: base.overrides.resolve }),
    mail: mailBy(base, agent),
    keys,
    masterKey,
    groups: (reader) => store.siteGroups.list(reader),
    groupsOf: async () => {
      const groups = new Map((await store.sites.list()).map((site) => [site.instance, site.groups]));
      return (instance) => (instance === null ? [] : (groups.get(instance) ?? []));
    },
    siteOf: async (instance) => {
      if (instance === null) return { zone: STANDARD_ZONE, site: null };
      const [site, zoneOf] = await Promise.all([store.sites.get(instance), zones()]);
      return { zone: zoneOf(instance), site: site?.displayName ?? instance };
    },
    publicUrl: config.agent.linkUrl,
    cameras: cameraNames(store.cameraNames, config.instance, clock),
    clock,
    log,
    instance: config.instance,
  });
  lifecycle.onStop('duty', () => duty.stop());
  return duty;
}

/** By the oldest channel of the operators that sends e-mail: its server, its sender, its log-in. */
function mailBy({ store }: Base, agent: Pick<AgentModule, 'deliver'>): CallMail {
  const channelOf = async () =>
    (await store.channels.list(OPERATORS)).find(({ format, enabled }) => format === 'email' && enabled);
  return {
    ready: async () => (await channelOf()) !== undefined,
    send: async ({ id, to, text }, signal) => {
      const channel = await channelOf();
      if (!channel) return { fault: { code: 'no_mail_server', params: {} }, final: false };
      const failed = await agent.deliver(
        { ...channel, recipients: [to] },
        { id, message: text, severity: 'critical', kind: 'alarm' },
        signal,
      );
      return (
        failed && { fault: { code: 'mail_failed', params: { fault: failed.error } }, final: failed.final }
      );
    },
  };
}
