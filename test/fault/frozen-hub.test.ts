// A call that a frozen headquarters reads late, after its site has gone to another: it proves nothing.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { alarms, drained, epochOf, INSTANCE, registerNode, startDeployment } from '../support/deployment.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, signedCall, until } from '../support/request.ts';

const PATH = '/api/core/uplink/events';
const ROLLED_BACK = `uplink_rolled_back:${INSTANCE}`;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('a call that nobody waits for any more says nothing of an older copy; the same, awaited, does', async () => {
  const { site, hub, keyFile } = await startDeployment(scene, seededRandom(1));
  const camera = await registerNode(site, 'gate');
  for (let n = 0; n < 5; n += 1) {
    const body = JSON.stringify({ idempotency_key: `e-${n}`, type: 'fire.smoke' });
    const post = { url: site.url, key: camera, method: 'POST', path: '/api/core/events', body };
    expectStatus(await signedCall(post), 201);
  }
  await drained(site);
  const epoch = await epochOf(site);
  await site.stop();
  const [keyId = '', secret = ''] = readFileSync(keyFile, 'utf8').trim().split(':');
  const key: SigningKey = { keyId, secret };
  const cursor = { from: 2, to: 2 };
  const head = { protocol: 1, version: '1', instance: INSTANCE, epoch, head: 2, oldest: 1 };
  const body = JSON.stringify({ ...head, cursor, items: [] });
  const standing = async (): Promise<boolean> =>
    (await alarms(hub, false)).some((alarm) => alarm.key === ROLLED_BACK);

  process.kill(hub.pid, 'SIGSTOP');
  const socket = connect(hub.options.port, '127.0.0.1');
  await once(socket, 'connect');
  const headers = signedHeaders(key, Date.now(), 'POST', PATH, body);
  const lines = Object.entries({ ...headers, host: 'hq', 'content-type': 'application/json' });
  const text = [`POST ${PATH} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${text.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await once(socket, 'finish');
  socket.destroy();
  process.kill(hub.pid, 'SIGCONT');
  await until('it has looked at the call', async () =>
    /answers_total\{method="POST",status="4\d\d"\} [1-9]/.test((await hub.api('GET', '/metrics')).text),
  );
  expect(await standing()).toBe(false);

  const call = { url: hub.url, key, method: 'POST', path: PATH, body };
  expectStatus(await signedCall(call), 409);
  await until('the alarm stands', standing);
});
