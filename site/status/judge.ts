import { linkNow } from '../uplink/status.ts';
import type { SiteFacts } from './schema.ts';

/** A backlog older than this is worth a look, ms. */
const LATE_MS = 10 * 60_000;

/** Whether what waits in a channel has waited for too long. @param now RFC 3339 or epoch ms */
export function isLate(
  { oldestUnsentAt }: SiteFacts['uplink']['channels'][number],
  now: string | number,
): boolean {
  return oldestUnsentAt !== null && new Date(now).getTime() - Date.parse(oldestUnsentAt) > LATE_MS;
}

/** The state of the site in one word. Pure. @param now epoch milliseconds */
export function judge(facts: Omit<SiteFacts, 'state'>, now: number): SiteFacts['state'] {
  const { storing, alarms, uplink, cameras, disk, clock, wear, integrity } = facts;
  if (
    !storing.ok ||
    disk.level === 'full' ||
    integrity.state === 'damaged' ||
    alarms.some((alarm) => alarm.severity === 'critical')
  )
    return 'bad';
  const late = uplink.channels.some((channel) => isLate(channel, now));
  const parked = uplink.channels.some((channel) => channel.parked > 0);
  const down = uplink.enabled && !['up', 'untried'].includes(linkNow(uplink));
  const worn = (wear.lifeUsedPercent ?? 0) >= 90 || (wear.endOfLife !== null && wear.endOfLife !== 'normal');
  const silent = cameras.some((camera) => camera.silent);
  return (uplink.enabled && late) ||
    parked ||
    down ||
    worn ||
    silent ||
    clock.suspect ||
    disk.level === 'short' ||
    alarms.length > 0
    ? 'look'
    : 'well';
}
