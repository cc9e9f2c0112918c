// A site hears only of what it says that it understands. What it does not know waits, and comes after it was
// renewed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { INBOX_PATH, type InboxAnswer } from '../../../common/uplink/inbox.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../../support/request.ts';
import { Joined } from '../evidence/joined.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('a wanted file waits for a site that does not name its kind, and what it knows goes on meanwhile', async () => {
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'on_demand' } });
  await joined.event({ 'a.jpg': Buffer.from('a') });
  const id = await joined.newestAtHub();
  await joined.site.site.stop();
  await joined.far(id, 'a.jpg');
  const verdict = { verdict: 'confirmed', by: 'duty' };
  expectStatus(await joined.hub.call('POST', `/api/core/events/${id}/verdict`, verdict), 200);
  const { url } = joined.hub.hub;
  const [keyId = '', secret = ''] = readFileSync(path.join(scene.dir, 'uplink-key'), 'utf8').split(':');
  const key: SigningKey = { keyId, secret };
  const ask = async (features: string[], { through, epoch }: Pick<InboxAnswer, 'through' | 'epoch'>) => {
    const place = { hold_ms: 0, after: through, hub_epoch: epoch };
    const said = { protocol: PROTOCOL, version: '0', instance: 'site-1', epoch: 'e', features, ...place };
    const call = { url, key, method: 'POST', path: INBOX_PATH, body: JSON.stringify(said) };
    return jsonOf<InboxAnswer>(expectStatus(await signedCall(call), 200));
  };
  const older = await ask(['decision', 'something else'], { through: 0, epoch: '' });
  expect(older.items).toMatchObject([{ kind: 'decision', body: { verdict: 'confirmed' } }]);
  expect(older.waiting).toEqual({ want: 1 });
  const renewed = await ask(['decision', 'want'], older);
  expect(renewed.items).toMatchObject([{ kind: 'want', body: { name: 'a.jpg', kind: 'keep' } }]);
  // The answers of the site are not there yet: whoever begins again hears of both.
  const again = await ask(['decision', 'want'], { through: 0, epoch: '' });
  expect(again.items.map(({ kind }) => kind)).toEqual(['decision', 'want']);
  // As it does from a number that this store never gave.
  const beyond = await ask(['decision', 'want'], { through: 1_000, epoch: again.epoch });
  expect(beyond.items).toHaveLength(2);
});
