// Closing a listener: what runs is answered, and a connection that is kept alive does not hold it up.
import http from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listen } from '../../common/http/listen.ts';

test('a request that runs when the listener closes is answered, and its kept connection is dropped', async () => {
  let arrived!: () => void;
  let release!: () => void;
  const inside = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const handle: http.RequestListener = (_request, response) => {
    arrived();
    void held.then(() => response.end('whole answer'));
  };
  const listening = await listen(handle, { at: { host: '127.0.0.1', port: 0 } });
  const agent = new http.Agent({ keepAlive: true });
  const request = http.get({ host: '127.0.0.1', port: listening.port, agent });
  await inside;
  const closed = listening.close();
  release();
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const part of answer) text += String(part);
  expect(text).toBe('whole answer');
  await closed;
  const [refused] = (await once(http.get({ host: '127.0.0.1', port: listening.port }), 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
  agent.destroy();
}, 2_500);
