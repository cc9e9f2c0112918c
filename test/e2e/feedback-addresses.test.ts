// Where feedback may go, and what a tenant is told of whoever answers there (DESIGN.md, "Feedback").
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSessionRig, type SessionRig } from '../hq/session-rig.ts';
import type { Browser } from '../support/browser.ts';
import { expectStatus, jsonOf } from '../support/request.ts';

let arrived = 0;
const neighbour = http.createServer((_request, response) => {
  arrived += 1;
  response.writeHead(405, { server: 'neighbour/1.2' }).end('internal');
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => neighbour.listen(0, '::', resolve));
  port = (neighbour.address() as AddressInfo).port;
});
afterAll(() => neighbour.close());

interface Judged {
  pushedBack: boolean;
  pushError: string | null;
}

/** A hub, a customer of acme and an operator. */
async function open(
  env: Record<string, string>,
): Promise<{ rig: SessionRig; customer: Browser; operator: Browser }> {
  const rig = await openSessionRig(env);
  await rig.addUser('customer', { role: 'customer', tenant_code: 'acme' });
  await rig.addUser('operator');
  return { rig, customer: await rig.browser('customer'), operator: await rig.browser('operator') };
}

async function event(rig: SessionRig, url: string): Promise<number> {
  const [id = 0] = await rig.post('acme', [
    {
      idempotency_key: url,
      tenant_code: 'acme',
      type: 'a.b',
      kind: 'alert',
      severity: 'high',
      source: 'video',
      feedback_url: url,
    },
  ]);
  return id;
}

const judge = async (as: Browser, id: number): Promise<Judged> =>
  jsonOf<Judged>(
    expectStatus(
      await as.call('POST', `/api/core/events/${id}/verdict`, { body: { verdict: 'confirmed', by: 'li' } }),
      200,
    ),
  );

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, scopeid }) => !internal && !scopeid)
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

describe('unless they are named', () => {
  let here: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    here = await open({});
  });
  afterAll(() => here.rig.close());

  test('this machine, its link and its cloud are closed; operators alone learn what opens them', async () => {
    for (const host of [
      '127.0.0.1',
      '127.8.8.8',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '169.254.169.254',
      '[fe80::1]',
      '0.0.0.0',
      ...ownAddresses,
    ]) {
      const id = await event(here.rig, `http://${host}:${port}/feedback`);
      expect(await judge(here.customer, id), host).toMatchObject({
        pushedBack: false,
        pushError: 'address not allowed',
      });
      expect((await judge(here.operator, id)).pushError, host).toMatch(
        /^address not allowed: .*allow it with CORE_FEEDBACK_NETWORKS$/,
      );
    }
    expect(arrived).toBe(0);
  });
});

describe('where the administrator named them', () => {
  let here: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    here = await open({ CORE_FEEDBACK_NETWORKS: '127.0.0.0/8' });
  });
  afterAll(() => here.rig.close());

  test('a tenant is told the class of a failure, an operator what answered', async () => {
    const answered = await event(here.rig, `http://127.0.0.1:${port}/`);
    expect(await judge(here.customer, answered)).toMatchObject({
      pushedBack: false,
      pushError: 'answered with an error',
    });
    expect((await judge(here.customer, answered)).pushError).toBe('answered with an error');
    expect((await judge(here.operator, answered)).pushError).toBe('answered with an error: HTTP 405');

    const closed = await event(here.rig, 'http://127.0.0.1:9/');
    expect((await judge(here.customer, closed)).pushError).toBe('connection refused');
    expect((await judge(here.operator, closed)).pushError).toMatch(
      /^connection refused: nothing listens at 127.0.0.1:9/,
    );
    expect(arrived).toBe(1);
  });

  test('a note to the field keeps the class only, since its tenant reads it', async () => {
    const id = await event(here.rig, `http://127.0.0.1:${port}/note`);
    const task = jsonOf<{ id: number }>(
      expectStatus(
        await here.customer.call('POST', '/api/core/objects/tasks', {
          body: { type: 'disposal', tenant_code: 'acme', title: 't', severity: 'high', event_id: id },
        }),
        201,
      ),
    );
    const noted = expectStatus(
      await here.operator.call('POST', `/api/core/objects/tasks/${task.id}/edge_note`, {
        body: { tenant_code: 'acme', text: 'hurry', by: 'li' },
      }),
      201,
    );
    expect(jsonOf(noted)).toMatchObject({
      pushedToEdge: false,
      note: { pushError: 'answered with an error' },
    });
  });
});
