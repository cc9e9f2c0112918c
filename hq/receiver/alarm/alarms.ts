import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, RaiseAlarm } from '../../../common/core/alarm/port.ts';
import { calledOf } from '../../../common/core/instance/record.ts';
import type { Logger } from '../../../common/log.ts';
import type { Message, MessageOf } from '../../../common/message.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { SitePort } from '../port.ts';

/** Most items that an alarm names. */
export const MOST_DETAILS = 20;

/** Of the alarm that stands while items of the site could not be stored. */
export const itemsFailedKey = (site: string): string => `uplink_items_failed:${site}`;

type SiteMessage = MessageOf<typeof hubMessages>;

export interface SiteAlarmsOptions {
  alarms: AlarmPort;
  sites: Pick<SitePort, 'get'>;
  clock: Clock;
  log: Logger;
  /** Name of headquarters, under which the alarms stand. */
  self: string;
}

/**
 * Alarms that headquarters raises about a site; the key of each is its code and the site, and one stands
 * whichever process raises it.
 */
export class SiteAlarms {
  readonly #options: SiteAlarmsOptions;

  constructor(options: SiteAlarmsOptions) {
    this.#options = options;
  }

  async raise(
    severity: RaiseAlarm['severity'],
    site: string,
    message: MessageOf<typeof hubMessages>,
    details: object,
  ): Promise<void> {
    const { alarms, clock, log, self } = this.#options;
    const text = alarmText(hubMessages, await this.#named(message, site), details);
    log.warn({ alarm: message.code, details }, text.message);
    const key = `${message.code}:${site}`;
    await alarms.raise(
      { key, instance: self, tenantCode: null, severity, shared: true, ...text },
      clock.now(),
    );
  }

  /** Items could not be stored here for what they are; the others that came with them were. */
  async itemsFailed(site: string, what: Message, items: readonly { reason: string }[]): Promise<void> {
    const last = items.at(-1);
    if (!last) return;
    const params = { site, what, count: items.length, reason: last.reason };
    const details = { site, items: items.slice(-MOST_DETAILS) };
    await this.raise('critical', site, { code: 'uplink_items_failed', params }, details);
  }

  async clear(code: MessageOf<typeof hubMessages>['code'], site: string): Promise<void> {
    const { alarms, clock } = this.#options;
    await alarms.clear(`${code}:${site}`, null, clock.now());
  }

  /** The site by the name that people gave it, beside that by which it is acted on. */
  async #named(message: SiteMessage, site: string): Promise<SiteMessage> {
    if (!('site' in message.params)) return message;
    const called = calledOf(site, (await this.#options.sites.get(site))?.displayName);
    return { ...message, params: { ...message.params, site: called } } as SiteMessage;
  }
}
