import { stampOf, type Clock } from '../../common/clock.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import {
  readMessages,
  type HandedNotification,
  type HandedResult,
  type NotificationsCall,
} from '../../common/uplink/notification.ts';
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

/**
 * Notifications that sites hand up: kept before the answer leaves, sent by the channels of headquarters as
 * its own are.
 */
export class HandedNotifications {
  #port: SiteNotificationPort;
  #events: Pick<EventPort, 'byKeys'>;
  #clock: Clock;

  constructor(port: SiteNotificationPort, events: Pick<EventPort, 'byKeys'>, clock: Clock) {
    this.#port = port;
    this.#events = events;
    this.#clock = clock;
  }

  /** @returns how each message of the call stands, and each that it asks for */
  async take(
    caller: CallingSite,
    { items: values, asked, backlog }: NotificationsCall,
  ): Promise<HandedResult[]> {
    const { instance, owned, tenants } = caller;
    const { items, refused } = readMessages(values);
    await this.#port.heard(instance, backlog, this.#clock.now());
    const allowed = items.filter(({ tenant_code: tenant }) => tenants.has(tenant));
    const room = MOST_UNDER_WAY - (await this.#port.underWay(instance, MOST_UNDER_WAY));
    if (allowed.length > 0 && room > 0)
      await this.#port.take(instance, owned, await this.#located(owned, allowed), stampOf(this.#clock));
    const results = await this.#port.results(owned, [...new Set([...items.map(({ id }) => id), ...asked])]);
    const told = items.map((item) => results.get(item.id) ?? notTaken(item, tenants, room > 0));
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

  /** With the event of each, where that has come and is the site's. */
  async #located(owned: readonly string[], items: readonly HandedNotification[]): Promise<Handed[]> {
    const keys = items.flatMap(({ tenant_code: tenantCode, event_key: idempotencyKey }) =>
      idempotencyKey === null ? [] : [{ tenantCode, idempotencyKey }],
    );
    const found = keys.length === 0 ? new Map<string, never>() : await this.#events.byKeys(keys);
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
