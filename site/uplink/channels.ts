// The channels of a site.
import type { ChannelName } from '../../common/uplink/wire.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import type { UplinkStore } from './port.ts';
import type { Report } from './report.ts';
import { changeSource, eventSource } from './source.ts';

/** The channel of events calls this often while headquarters holds a call, else with each interval, ms. */
const EVENTS_CALL_MS = 60_000;
/** The channel of changes compares positions with headquarters at least this often, ms. */
const CHANGES_CALL_MS = 60_000;

/**
 * @param report goes with the channel of changes
 * @param with `interval` between two calls of the channel of events, and the shortest of any, ms;
 *   `held`: whether headquarters holds a call of this site, so that its being gone is noticed
 */
export function createChannels(
  { uplink, events, changes }: UplinkStore,
  common: Pick<ChannelOptions, 'batch' | 'envelope'>,
  report: Report,
  { interval, held }: { interval: number; held: () => boolean },
): Record<ChannelName, Channel> {
  const eventChannel = new Channel({
    ...common,
    uplink,
    source: eventSource(events),
    callEvery: () => (held() ? Math.max(EVENTS_CALL_MS, interval) : interval),
    report: null,
  });
  const source = changeSource(changes, () => eventChannel.state.cursor);
  return {
    events: eventChannel,
    verdicts: new Channel({
      ...common,
      uplink,
      source,
      callEvery: () => Math.max(CHANGES_CALL_MS, interval),
      report,
    }),
  };
}
