import { type Clock, stampOf } from '../../clock.ts';
import { readAlarmText } from '../../core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { InstanceNames, InstanceZones } from '../../core/instance/record.ts';
import { takeEach } from '../../core/left-out/row-by-row.ts';
import type { NewNotification } from '../../core/notification/record.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import type { Catalogue } from '../../message.ts';
import type { ChannelPort } from '../channel/port.ts';
import type { ChannelRecord } from '../channel/record.ts';
import { type AlarmDispatch, messageFor, type StandingAlarm } from './decide.ts';
import type { AlarmNoticePort } from './port.ts';

/** What comes within this is one message, ms. */
const LOOK_EVERY_MS = 3_000;
const HURRY_EVERY_MS = 1_000;
/** More alarms than these are not looked at: a message names a few, and says how many more there are. */
const MOST = 1_000;

export interface AlarmNoticesOptions {
  alarms: AlarmPort;
  notices: AlarmNoticePort;
  channels: Pick<ChannelPort, 'list'>;
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  names: InstanceNames;
  zones: InstanceZones;
  /** Something waits to be sent. */
  onNotifications: () => void;
  clock: Clock;
  log: Logger;
}

/**
 * Brings operational alarms to people: writes, for each channel that takes them, what is new, what nobody has
 * taken over, and what is over into the outbox that messages about tasks go out by.
 */
export class AlarmNotices {
  readonly loop: Loop;
  readonly #options: AlarmNoticesOptions;
  /** When each channel was last told something, epoch ms. */
  #toldAt = new Map<string, number>();
  /** Monotonic, ms. */
  #hurriedAt = -Infinity;

  constructor(options: AlarmNoticesOptions) {
    this.#options = options;
    const { alarms, clock, log } = options;
    this.loop = new Loop({
      name: 'alarm notices',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.round(),
    });
    alarms.onChange(({ severity }) => severity === 'critical' && this.#hurry());
  }

  /** What is critical does not wait for what may come with it, but in a storm of it. */
  #hurry(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#hurriedAt < HURRY_EVERY_MS) return;
    this.#hurriedAt = now;
    this.loop.kick();
  }

  async round(): Promise<void> {
    const { notices, channels, onNotifications } = this.#options;
    const all = await channels.list(null);
    const taking = all.filter(({ enabled, alarms }) => enabled && alarms !== null);
    const known = await notices.list();
    if (taking.length > 0) {
      const alarms = await this.#standing();
      const [called, zoneOf] = await Promise.all([this.#options.names(), this.#options.zones()]);
      const ofChannel = Map.groupBy(known, ({ channelId }) => channelId);
      await takeEach(taking, async (channel) => {
        const now = this.#options.clock.now();
        const lastToldAt = this.#toldAt.get(channel.id) ?? null;
        const seen = { alarms, notices: ofChannel.get(channel.id) ?? [], lastToldAt, called, zoneOf, now };
        const told = messageFor(channel, seen);
        if (told && (await this.#tell(channel, told))) onNotifications();
      });
    }
    const ids = new Set(taking.map(({ id }) => id));
    if (known.some(({ channelId }) => !ids.has(channelId))) await notices.forget([...ids]);
  }

  async #tell(channel: ChannelRecord, { changes, severity, text }: AlarmDispatch): Promise<boolean> {
    const stamp = stampOf(this.#options.clock);
    const message: NewNotification = {
      id: stamp.newId(),
      tenantCode: channel.tenantCode,
      kind: 'alarm',
      channel: channel.channel,
      channelId: channel.id,
      severity: severity === 'critical' ? 'critical' : 'medium',
      message: text,
      eventId: null,
      taskId: null,
      ruleName: null,
      isTest: false,
      handover: null,
      deliveredBy: null,
      instance: null,
      originId: null,
      state: 'pending',
      attempts: 0,
      nextAt: stamp.now,
      lastError: null,
      createdAt: stamp.now,
      settledAt: null,
    };
    if (!(await this.#options.notices.tell(message, changes))) return false;
    this.#toldAt.set(channel.id, stamp.now);
    return true;
  }

  async #standing(): Promise<StandingAlarm[]> {
    const { alarms, messages } = this.#options;
    const rows = await alarms.list({ tenantCode: null, includeCleared: false }, MOST, 'worst');
    return rows.map((row) => ({
      ...row,
      messageZh: readAlarmText(messages, row.details).messageZh,
      takenOver: row.takenAt !== null,
    }));
  }
}
