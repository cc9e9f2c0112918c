import { uplinkStatus, type StatusOptions } from '../uplink/status.ts';

/** One line of how it goes, for the service manager. */
export async function headline(options: StatusOptions): Promise<string> {
  const { enabled, link, channels } = await uplinkStatus(options);
  if (!enabled) return 'storing; no headquarters is configured';
  const waiting = channels.reduce((sum, { backlog }) => sum + backlog, 0);
  const parked = channels.reduce((sum, one) => sum + one.parked, 0);
  return `storing; link to headquarters ${link}; ${waiting} wait${parked > 0 ? `; ${parked} parked` : ''}`;
}
