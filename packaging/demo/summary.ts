import type { ApiClient } from '../../common/terminal/api.ts';
import type { Analyst } from './analyst.ts';

interface SiteUplink {
  link: string;
  channels: { name: string; head: number; backlog: number; parked: number }[];
}

interface HubUplink {
  sites: { instance: string; state: string; events: { receivedTotal: number } }[];
}

/** How far the events and verdicts have come, in one line. */
export async function summary(
  site: ApiClient,
  hub: ApiClient,
  instance: string,
  analyst: Analyst,
): Promise<string> {
  const status = await site.call<SiteUplink>('GET', '/api/core/uplink/status');
  const { sites } = await hub.call<HubUplink>('GET', '/api/core/uplink/status');
  const [events] = status.channels;
  const atHub = sites.find((one) => one.instance === instance);
  return (
    `site 站点 ${events?.head} events, ${events?.backlog} waiting, ${parkedText(status)}link ` +
    `${status.link} | headquarters 总部 ${atHub?.events.receivedTotal} events, ${atHub?.state} | verdicts 结论 ` +
    `${analyst.verdicts} since the start, ${analyst.heardBack} of them heard by a camera`
  );
}

/** What headquarters refused, with the command that tells why; nothing where it refused nothing. */
function parkedText({ channels }: SiteUplink): string {
  const parked = channels.reduce((sum, channel) => sum + channel.parked, 0);
  return parked === 0 ? '' : `${parked} parked 搁置 (npm run site -- parked list), `;
}
