// The channels of a site, and which of them comes first.
import type { ChannelName } from '../../common/uplink/wire.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import type { UplinkStore } from './port.ts';
import type { Report } from './report.ts';
import { changeSource, eventSource, workSource } from './source.ts';

/** During a backlog of events the verdicts channel comes first after this many batches of events. */
const EVENT_BATCHES_IN_A_ROW = 4;
/** The channel of events does so this often while headquarters holds a call, else with each interval, ms. */
const EVENTS_CALL_MS = 60_000;
/** The verdicts channel compares positions with headquarters at least this often, ms. */
const VERDICTS_CALL_MS = 60_000;
/** The same of the channel of tasks and groups. */
const WORK_CALL_MS = 300_000;

/**
 * @param report goes with the verdicts channel
 * @param with `interval` between two calls of the channel of events, and the shortest of any, ms;
 *   `held`: whether headquarters holds a call of this site, so that its being gone is noticed
 */
export function createChannels(
  { uplink, events, verdicts, work }: UplinkStore,
  common: Pick<ChannelOptions, 'batch' | 'envelope'>,
  report: Report | null,
  { interval, held }: { interval: number; held: () => boolean },
): Record<ChannelName, Channel> {
  const eventChannel = new Channel({
    ...common,
    uplink,
    source: eventSource(events),
    callEvery: () => (held() ? Math.max(EVENTS_CALL_MS, interval) : interval),
    report: null,
  });
  const sentEvent = (): number => eventChannel.state.cursor;
  return {
    events: eventChannel,
    verdicts: new Channel({
      ...common,
      uplink,
      source: changeSource(verdicts, sentEvent),
      callEvery: () => Math.max(VERDICTS_CALL_MS, interval),
      report,
    }),
    work: new Channel({
      ...common,
      uplink,
      source: workSource(work, sentEvent),
      callEvery: () => Math.max(WORK_CALL_MS, interval),
      report: null,
    }),
  };
}

/** Events come before verdicts, but not for ever. */
export class Precedence {
  #events: Channel;
  #verdicts: Channel;
  #eventBatchesInARow = 0;
  #hasty = false;

  constructor({ events, verdicts }: Pick<Record<ChannelName, Channel>, 'events' | 'verdicts'>) {
    this.#events = events;
    this.#verdicts = verdicts;
  }

  /** The channels in the order in which they are looked at. */
  order(): readonly [Channel, Channel] {
    return this.#hasty || this.#eventBatchesInARow >= EVENT_BATCHES_IN_A_ROW
      ? [this.#verdicts, this.#events]
      : [this.#events, this.#verdicts];
  }

  /** The next request is of the channel that carries the report. */
  hasten(): void {
    this.#hasty = true;
  }

  /** A batch of the channel was made, perhaps an empty one. */
  taken({ name }: Channel): void {
    if (name !== 'verdicts') return;
    this.#eventBatchesInARow = 0;
    this.#hasty = false;
  }

  sent({ name }: Channel): void {
    if (name === 'events') this.#eventBatchesInARow += 1;
  }
}
