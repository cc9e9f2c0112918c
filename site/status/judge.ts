import { linkNow } from '../uplink/status.ts';
import type { SiteFacts } from './schema.ts';

/** Whether a camera that the site connects to is not connected. */
export const isAway = ({ connection }: SiteFacts['cameras'][number]): boolean =>
  connection !== null && connection.code !== null;

/** The state of the site in one word. Pure. */
export function judge(facts: Omit<SiteFacts, 'state'>): SiteFacts['state'] {
  const { storing, alarms, uplink, cameras, disk, clock, wear, integrity } = facts;
  if (
    !storing.ok ||
    disk.level === 'full' ||
    integrity.state === 'damaged' ||
    alarms.some((alarm) => alarm.severity === 'critical')
  )
    return 'bad';
  const late = uplink.flows.some((flow) => flow.late);
  const parked = uplink.channels.some((channel) => channel.parked > 0);
  const down = uplink.enabled && !['up', 'untried'].includes(linkNow(uplink));
  const worn = (wear.lifeUsedPercent ?? 0) >= 90 || (wear.endOfLife !== null && wear.endOfLife !== 'normal');
  const silent = cameras.some((camera) => camera.silent || isAway(camera));
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
