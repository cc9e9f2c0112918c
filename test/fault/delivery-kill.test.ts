// Two hubs on one database, one of which is killed at a named point of a delivery, again and again: no
// attempt too many, nothing lost, and the record true. Between "claimed" and "answered" the receiver is told,
// or not, without the hub knowing.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LEASE_MS } from '../../hq/integration/sender.ts';
import { DELIVERY_KILLS } from '../support/campaign.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

interface Shown {
  id: string;
  messageId: string;
  status: string;
  attempts: number;
  last_error: string | null;
  response_code: number | null;
}

test(
  `killed ${DELIVERY_KILLS} times at the points of a delivery`,
  { timeout: 120_000 + DELIVERY_KILLS * 40_000 },
  async () => {
    const scene = new Scene();
    try {
      const receiver = await new HttpPeer().open();
      scene.onClose(() => receiver.close());
      const database = await createHubDatabase();
      scene.onClose(() => database.drop());
      const file = (name: string, text: string): string => {
        writeFileSync(path.join(scene.dir, name), text);
        return `file:${path.join(scene.dir, name)}`;
      };
      let ahead = 0;
      file('clock', '0');
      const env = {
        SCENE: scene.dir,
        DATABASE_URL: database.url,
        CORE_MASTER_KEY_REF: file('master', 'flm_master'),
        CORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
        AGENT_ENABLED: 'false',
        CORE_DOC_DIR: path.join(scene.dir, 'docs'),
      };
      const hubs: Program[] = [];
      const shared = path.join(scene.dir, 'evidence');
      mkdirSync(shared);
      for (const name of ['a', 'b']) {
        const dataDir = path.join(scene.dir, name);
        mkdirSync(dataDir);
        symlinkSync(shared, path.join(dataDir, 'evidence'));
        const hub = new Program({
          main: 'test/support/delivery-killed-hub.ts',
          dataDir,
          port: await freePort(),
          env,
        });
        scene.onClose(() => hub.kill());
        hubs.push(hub);
      }
      await Promise.all(hubs.map((hub) => hub.start()));
      const api = async <T>(
        method: string,
        target: string,
        body: object | undefined,
        status: number,
      ): Promise<T> => {
        const alive = hubs.find(({ running }) => running) as Program;
        return jsonOf<T>(expectStatus(await alive.api(method, `/api/integration${target}`, body), status));
      };
      const webhook = (
        await api<{ id: string }>(
          'POST',
          '/webhooks',
          { tenant_code: 'acme', name: 'r', callback_url: `${receiver.url}/` },
          201,
        )
      ).id;
      const shown = async (): Promise<Shown[]> =>
        (await api<{ items: Shown[] }>('GET', `/webhooks/${webhook}/deliveries`, undefined, 200)).items;
      const heard = (message: string): number =>
        receiver.heard.filter(({ headers }) => headers['webhook-id'] === message).length;

      for (let kill = 0; kill < DELIVERY_KILLS; kill += 1) {
        const step = ['claimed', 'answered', 'settled'][kill % 3] as string;
        file('kill-at', step);
        const { id, messageId } = await api<Shown>('POST', `/webhooks/${webhook}/test`, undefined, 202);
        await until('one hub was killed', async () => hubs.some(({ running }) => !running));
        const found = async (): Promise<Shown> => (await shown()).find((one) => one.id === id) as Shown;
        expect([step, (await found()).status, (await found()).attempts, heard(messageId)]).toEqual([
          step,
          step === 'settled' ? 'success' : 'pending',
          1,
          step === 'claimed' ? 0 : 1,
        ]);
        // The other takes it up when the claim has run out.
        ahead += LEASE_MS + 1_000;
        file('clock', String(ahead));
        await until('the delivery is settled', async () => (await found()).status === 'success');
        const tries = step === 'settled' ? 1 : 2;
        expect([(await found()).attempts, (await found()).response_code, heard(messageId)]).toEqual([
          tries,
          200,
          step === 'answered' ? 2 : 1,
        ]);
        if (kill + 1 < DELIVERY_KILLS) await hubs.find(({ running }) => !running)?.start();
      }
    } finally {
      await scene.close();
    }
  },
);
