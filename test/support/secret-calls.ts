// Calls about secrets and what names them, each right unless a test says otherwise.
import type { HttpPeer } from './http-peer.ts';
import type { Call } from './in-process.ts';
import { type Answer, expectStatus, jsonOf } from './request.ts';

export const TENANT = 'acme';

export interface Channel {
  id: string;
  secretRef: string | null;
  urlRef: string | null;
}

export const hostOf = (peer: HttpPeer): string => new URL(peer.url).host;
export const bearer = (peer: HttpPeer) => peer.heard.map(({ headers }) => headers.authorization);
export const faults = (answer: Answer) =>
  jsonOf<{ details: { path: string; message: string }[] }>(expectStatus(answer, 400)).details;

/** @param peer whom everything goes to */
export function secretCalls(call: Call, peer: () => HttpPeer) {
  let count = 0;
  const own = { tenant_code: TENANT };
  const channel = (more: object): Promise<Answer> => {
    const sms = { channel: 'sms', format: 'sms_gateway', recipients: ['13800000000'] };
    return call('POST', '/api/agent/channels', {
      ...own,
      ...sms,
      name: `c${(count += 1)}`,
      url: `${peer().url}/sms`,
      ...more,
    });
  };
  return {
    channel,
    made: async (more: object): Promise<Channel> => jsonOf<Channel>(expectStatus(await channel(more), 201)),
    tried: async ({ id }: Channel) =>
      jsonOf<{ taken: boolean; error: string | null }>(
        expectStatus(await call('POST', `/api/agent/channels/${id}/test`), 200),
      ),
    put: (name: string, more: object): Promise<Answer> => {
      const body = { ...own, use: 'channel', host: hostOf(peer()), secret: 'hunter2', ...more };
      return call('PUT', `/api/core/secrets/${name}`, body);
    },
    subscribe: (more: object): Promise<Answer> =>
      call('POST', '/api/core/events/subscribe', {
        ...own,
        consumer: 'c',
        push_url: `${peer().url}/in`,
        ...more,
      }),
    source: (more: object): Promise<Answer> => {
      const pull = { base_url: peer().url, key_id: 'k', schedule: '0 3 * * *', datasets: [{ dataset: 'a' }] };
      return call('POST', '/api/dataset/sources', { ...own, ...pull, name: `s${(count += 1)}`, ...more });
    },
  };
}
