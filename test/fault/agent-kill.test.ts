// A site is killed at every point between an event and its acknowledgement: each event has its task and its
// notification once. AGENT_KILLS and AGENT_KILL_EVENTS in the environment make the campaign longer: 200 and
// 5000 is the whole one.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentCampaign } from '../support/agent-campaign.ts';
import { registerNode } from '../support/deployment.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

const POINTS = ['pulled', 'decided', 'written'] as const;
const BATCH = 250;

/**
 * Every eighth life ends after an acknowledgement, the others within a batch of 200, at any of its 13
 * transactions.
 */
function killPoint(life: number): string {
  if (life % 8 === 7) return 'acknowledged 0';
  const point = POINTS[life % POINTS.length] ?? 'pulled';
  return `${point} ${point === 'pulled' ? 0 : (life * 5) % 13}`;
}

async function all<T>(site: Program, target: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: T[]; nextCursor: string | null } = jsonOf(
      expectStatus(
        await site.api(
          'GET',
          `${target}?limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        ),
        200,
      ),
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

test(
  'one decision, one task and one notification for each event, none missing',
  { timeout: agentCampaign.timeoutMs },
  async () => {
    const site = new Program({
      main: 'test/support/agent-killed-site.ts',
      dataDir: scene.dir,
      port: await freePort(),
      env: { AGENT_ENABLED: 'true' },
    });
    scene.onClose(() => site.kill());
    const killAt = (text: string): void => writeFileSync(path.join(scene.dir, 'kill-at'), text);
    killAt('');
    await site.start();
    const key = await registerNode(site, 'gate');
    expectStatus(
      await site.api('POST', '/api/core/objects/rules', {
        tenant_code: 'acme',
        name: 'tell',
        kind: 'response',
        body: {
          priority: 1,
          enabled: true,
          match: {},
          action: { kind: 'notify', channels: ['inbox'], due_minutes: 60 },
        },
      }),
      201,
    );
    for (let sent = 0; sent < agentCampaign.events; sent += BATCH) {
      const count = Math.min(BATCH, agentCampaign.events - sent);
      const events = Array.from({ length: count }, (_, i) => ({
        idempotency_key: `k${sent + i}`,
        type: 'vehicle.intrusion',
        site_ref: 's',
        camera_ref: `c${i % 7}`,
      }));
      expectStatus(
        await signedCall({
          url: site.url,
          key,
          method: 'POST',
          path: '/api/core/events',
          body: JSON.stringify({ events }),
        }),
        201,
      );
    }
    await site.kill();

    let killed = 0;
    for (let life = 0; life < agentCampaign.kills; life += 1) {
      killAt(killPoint(life));
      site.spawn();
      const lag = async (): Promise<number> =>
        jsonOf<{ lag: number }>(await site.api('GET', '/api/agent/status')).lag;
      await until(
        'the site was killed, or had nothing left to do',
        async () => !site.running || (await lag().catch(() => 1)) === 0,
      );
      if (site.running) await site.kill();
      else killed += 1;
    }
    killAt('');
    await site.start();
    await until(
      'the agent has come to every event',
      async () => jsonOf<{ lag: number }>(await site.api('GET', '/api/agent/status')).lag === 0,
    );
    expect(killed).toBe(agentCampaign.kills);

    const once = Array.from({ length: agentCampaign.events }, (_, i) => i + 1);
    const of = async (target: string): Promise<number[]> =>
      (await all<{ eventId: number }>(site, target)).map(({ eventId }) => eventId).sort((a, b) => a - b);
    expect(await of('/api/agent/decisions')).toEqual(once);
    expect(await of('/api/core/objects/tasks')).toEqual(once);
    expect(await of('/api/core/notifications')).toEqual(once);
  },
);
