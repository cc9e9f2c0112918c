import { linkNow, type StatusOptions, uplinkStatus } from '../uplink/status.ts';

const LINK = { up: 'up', down: 'down', never: 'never reached', untried: 'not tried yet' } as const;

/** One line of how it goes, for the service manager; `refusing`: the disk is full and events are refused. */
export async function headline(options: StatusOptions, refusing: boolean): Promise<string> {
  const status = await uplinkStatus(options);
  const { enabled, flows } = status;
  const store = refusing ? 'the disk is full and events are refused' : 'storing';
  if (!enabled) return `${store}; no headquarters is configured`;
  const waiting = flows.reduce((sum, one) => sum + one.waiting, 0);
  const parked = flows.reduce((sum, one) => sum + one.parked, 0);
  return (
    `${store}; link to headquarters ${LINK[linkNow(status)]}; ${waiting} ` +
    `wait${parked > 0 ? `; ${parked} parked` : ''}`
  );
}
