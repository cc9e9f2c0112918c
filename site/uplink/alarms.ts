import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { Message } from '../../common/message.ts';
import { type ChannelName, EVENT_OF_ANOTHER, KEY_OF_ANOTHER } from '../../common/uplink/wire.ts';
import { type LinkFault, type SiteMessage, siteMessages } from '../site-messages.ts';
import type { UplinkStatePort } from './port.ts';

/** Keys of the alarms that the uplink of a site raises. */
export type UplinkAlarmKey =
  | 'uplink_hub_lost_data'
  | 'uplink_hub_epoch_changed'
  | 'store_restored'
  | 'clock_skewed'
  | 'uplink_parked'
  | 'uplink_key_conflict'
  | 'uplink_inbox_failing'
  | 'uplink_evidence_full'
  | 'uplink_doubled';

/** Without a word of a second store for so long there is none any more, ms. */
const DOUBLED_MS = 600_000;

/** Raises and clears the alarms of the uplink; writes to the store only when something changes. */
export class UplinkAlarms {
  #alarms: AlarmPort;
  #instance: string;
  #clock: Clock;
  /** Alarms that are known to be clear: this process cleared them and has not raised them since. */
  #cleared = new Set<UplinkAlarmKey>();
  /** When headquarters last said that two stores send under one name, monotonic ms; null: not of late. */
  #doubledAt: number | null = null;

  constructor(alarms: AlarmPort, instance: string, clock: Clock) {
    this.#alarms = alarms;
    this.#instance = instance;
    this.#clock = clock;
  }

  async raise(
    key: UplinkAlarmKey,
    severity: 'warning' | 'critical',
    message: SiteMessage,
    details: object,
  ): Promise<void> {
    this.#cleared.delete(key);
    await this.#alarms.raise(
      {
        key,
        instance: this.#instance,
        tenantCode: null,
        severity,
        ...alarmText(siteMessages, message, details),
      },
      this.#clock.now(),
    );
  }

  async clear(key: UplinkAlarmKey): Promise<void> {
    if (this.#cleared.has(key)) return;
    await this.#alarms.clear(key, this.#instance, this.#clock.now());
    this.#cleared.add(key);
  }

  /**
   * One alarm stands while any item is parked, and a second one while the key of any parked item is used by
   * another instance.
   */
  async parked(uplink: UplinkStatePort): Promise<void> {
    const events = uplink.parkedCount('events');
    const verdicts = uplink.parkedCount('verdicts');
    if (events + verdicts === 0) await this.clear('uplink_parked');
    else {
      const refused = counted(events, verdicts);
      await this.raise(
        'uplink_parked',
        'warning',
        { code: 'uplink_parked', params: { refused } },
        { events, verdicts },
      );
    }
    await this.#conflicts(conflictCount(uplink, 'events'), conflictCount(uplink, 'verdicts'));
  }

  /**
   * One alarm stands while something that headquarters wants could not be carried out in many tries.
   * @param reason why the last of them could not
   */
  async inbox(count: number, reason: string): Promise<void> {
    if (count === 0) return this.clear('uplink_inbox_failing');
    const message = { code: 'uplink_inbox_failing', params: { count, reason } } as const;
    await this.raise('uplink_inbox_failing', 'warning', message, { count, reason });
  }

  /** One alarm stands while headquarters has no room for evidence. @param fault what it answered */
  async noRoom(tenants: readonly string[], fault: LinkFault | null): Promise<void> {
    if (fault === null) return this.clear('uplink_evidence_full');
    const message = { code: 'uplink_evidence_full', params: { tenants: tenants.join(', '), fault } } as const;
    await this.raise('uplink_evidence_full', 'warning', message, { tenants });
  }

  /** One alarm stands while another store sends under this site's name. */
  async doubled(whether: boolean): Promise<void> {
    const now = this.#clock.monotonic();
    if (whether) {
      const stands = this.#doubledAt !== null;
      this.#doubledAt = now;
      if (!stands) await this.raise('uplink_doubled', 'critical', { code: 'uplink_doubled', params: {} }, {});
      return;
    }
    // Of several hubs the one that answers may not be the one that saw the other store.
    if (this.#doubledAt !== null && now - this.#doubledAt < DOUBLED_MS) return;
    await this.clear('uplink_doubled');
    this.#doubledAt = null;
  }

  async #conflicts(events: number, verdicts: number): Promise<void> {
    if (events + verdicts === 0) return this.clear('uplink_key_conflict');
    await this.raise(
      'uplink_key_conflict',
      'critical',
      {
        code: 'uplink_key_conflict',
        params: { refused: counted(events, verdicts), total: events + verdicts },
      },
      { events, verdicts },
    );
  }
}

/** Parked items of a channel whose key is of another instance at headquarters. */
export const conflictCount = (uplink: Pick<UplinkStatePort, 'parkedCount'>, channel: ChannelName): number =>
  uplink.parkedCount(channel, channel === 'events' ? KEY_OF_ANOTHER : EVENT_OF_ANOTHER);

function counted(events: number, verdicts: number): Message {
  const [ofEvents, ofVerdicts] = [
    { code: 'parked_events', params: { count: events } },
    { code: 'parked_verdicts', params: { count: verdicts } },
  ];
  if (events > 0 && verdicts > 0)
    return { code: 'parked_both', params: { events: ofEvents, verdicts: ofVerdicts } };
  return events > 0 ? ofEvents : ofVerdicts;
}
