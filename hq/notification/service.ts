import { type Clock, stampOf } from '../../common/clock.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import {
  type HandedNotification,
  type HandedResult,
  type NotificationsCall,
  readMessages,
} from '../../common/uplink/notification.ts';
import { SiteRate } from '../receiver/admission/site-rate.ts';
import type { SiteAlarms } from '../receiver/alarm/alarms.ts';
import { failedFor } from './decide.ts';
import type { Handed, SiteNotificationPort } from './port.ts';

/**
 * Once so many messages of a site are on their way, further calls wait at the site; the call that reaches the
 * limit is still taken whole.
 */
const MOST_UNDER_WAY = 2_000;

/** Who speaks, as the registry of sites knows it. */
export interface CallingSite {
  instance: string;
  /** Its own name and those that it continues. */
  owned: readonly string[];
  /** Tenants that it may bring. */
  tenants: ReadonlySet<string>;
}

export interface HandedNotificationsParts {
  port: SiteNotificationPort;
  events: Pick<EventPort, 'byKeys'>;
  alarms: Pick<SiteAlarms, 'raise' | 'clear'>;
  clock: Clock;
}

/** New notifications of one site that are taken: what a burst of alarms needs, and no more. */
export const SITE_RATE = { minute: 300, hour: 3_000 } as const;

/**
 * Notifications that sites hand up: kept before the answer leaves, sent by the channels of headquarters as
 * its own are.
 */
export class HandedNotifications {
  /** Messages that were left at their site since it hands up more than is taken of one. */
  held = 0;
  readonly #parts: HandedNotificationsParts;
  #rate: SiteRate;
  /** Whether the alarm about it stands, by site; of one that is not here that is not known. */
  #told = new Map<string, boolean>();

  constructor(parts: HandedNotificationsParts) {
    this.#parts = parts;
    this.#rate = new SiteRate(parts.clock, SITE_RATE);
  }

  /** @returns how each message of the call stands, and each that it asks for */
  async take(
    caller: CallingSite,
    { items: values, asked, backlog }: NotificationsCall,
  ): Promise<HandedResult[]> {
    const { instance, owned, tenants } = caller;
    const { items, refused } = readMessages(values);
    await this.#parts.port.heard(instance, backlog, this.#parts.clock.now());
    const allowed = items.filter(({ tenant_code: tenant }) => tenants.has(tenant));
    const room = MOST_UNDER_WAY - (await this.#parts.port.underWay(instance, MOST_UNDER_WAY));
    const within = room > 0 ? await this.#withinRate(caller, allowed) : new Set<string>();
    const taken = allowed.filter((item) => within.has(item.id));
    if (taken.length > 0)
      await this.#parts.port.take(
        instance,
        owned,
        await this.#located(owned, taken),
        stampOf(this.#parts.clock),
      );
    const results = await this.#parts.port.results(owned, [
      ...new Set([...items.map(({ id }) => id), ...asked]),
    ]);
    const told = items.map((item) => results.get(item.id) ?? notTaken(item, tenants, within.has(item.id)));
    const handed = new Set(items.map(({ id }) => id));
    const others = asked.filter((id) => !handed.has(id));
    return [
      ...told,
      ...refused.map(({ id, fault }) => failedFor(id, `${fault.path} ${fault.message}`)),
      ...others.map(
        (id): HandedResult => results.get(id) ?? { ...failedFor(id, ''), state: 'unknown', reason: null },
      ),
    ];
  }

  /** Ids of those that are known already, and of as many new ones as are taken of one site. */
  async #withinRate(
    { instance, owned }: CallingSite,
    items: readonly HandedNotification[],
  ): Promise<Set<string>> {
    if (items.length === 0) return new Set();
    const ids = [...new Set(items.map(({ id }) => id))];
    const known = await this.#parts.port.results(owned, ids);
    const fresh = ids.filter((id) => !known.has(id));
    const taken = this.#rate.take(instance, fresh.length);
    await this.#tell(instance, fresh.length - taken);
    return new Set([...known.keys(), ...fresh.slice(0, taken)]);
  }

  async #tell(site: string, over: number): Promise<void> {
    this.held += over;
    if (this.#told.get(site) === over > 0) return;
    if (over === 0) await this.#parts.alarms.clear('site_messages_many', site);
    else {
      const params = { site, minute: SITE_RATE.minute, hour: SITE_RATE.hour };
      await this.#parts.alarms.raise('warning', site, { code: 'site_messages_many', params }, { site });
    }
    this.#told.set(site, over > 0);
  }

  /** With the event of each, where that has come and is the site's. */
  async #located(owned: readonly string[], items: readonly HandedNotification[]): Promise<Handed[]> {
    const keys = items.flatMap(({ tenant_code: tenantCode, event_key: idempotencyKey }) =>
      idempotencyKey === null ? [] : [{ tenantCode, idempotencyKey }],
    );
    const found = keys.length === 0 ? new Map<string, never>() : await this.#parts.events.byKeys(keys);
    return items.map((item) => {
      const event =
        item.event_key === null ? undefined : found.get(eventKey(item.tenant_code, item.event_key));
      const own = event !== undefined && event.instance !== null && owned.includes(event.instance);
      return { item, eventId: own ? event.id : null };
    });
  }
}

function notTaken(
  { id, tenant_code: tenant, channel }: HandedNotification,
  tenants: ReadonlySet<string>,
  room: boolean,
): HandedResult {
  if (!tenants.has(tenant))
    return failedFor(id, `this site may not bring anything of tenant ${tenant}; add the tenant to the site`);
  if (!room) return { ...failedFor(id, ''), state: 'later', reason: null };
  return failedFor(id, `no ${channel} channel is configured for the tenant at headquarters`);
}
