// What is delivered to webhooks, to a receiver on real sockets (spec 1, "States", "Delivery rules",
// "Events").
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resolve } from '../../../common/http/outbound/address.ts';
import { serviceSignature } from '../../../hq/integration/signature.ts';
import { OddReceiver, type Received } from '../../support/odd-receiver.ts';
import { clientOf } from '../../support/postgres.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { type Delivery, type IntegrationRig, ncr, openIntegrationRig } from './rig.ts';

/** What the hosts of callbacks resolve to. */
const names = new Map<string, string>();

let rig: IntegrationRig;
let receiver: OddReceiver;
beforeAll(async () => {
  receiver = await new OddReceiver().open();
  const resolve: Resolve = (host, _options, callback) => {
    const address = names.get(host);
    if (address === undefined)
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    else callback(null, [{ address, family: 4 }]);
  };
  rig = await openIntegrationRig({}, { resolve });
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const headersOf = ({ head }: Received): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
const settled = ({ status }: Delivery): boolean => status !== 'pending';
const tried =
  (times: number) =>
  ({ attempts, nextAttemptAt, status, lastAttemptAt }: Delivery): boolean =>
    attempts === times &&
    (status !== 'pending' || Date.parse(nextAttemptAt ?? '') > Date.parse(lastAttemptAt ?? ''));
const call = (method: string, path: string, body?: object) =>
  rig.admin(method, `/api/integration${path}`, body);
/** The public verifier with its clock set to that of the message. */
function verify(secret: string, received: Received, shift = 0): unknown {
  const headers = headersOf(received);
  const real = Date.now;
  Date.now = () => Number(headers['webhook-timestamp']) * 1000 + shift;
  try {
    return new StandardWebhook(
      secret.startsWith('whsec_') ? secret : `whsec_${Buffer.from(secret).toString('base64')}`,
    ).verify(received.body, headers);
  } finally {
    Date.now = real;
  }
}

describe('an event', () => {
  test(
    'goes to every enabled webhook of its tenant that subscribes to it, signed so that anybody can ' +
      'verify it',
    async () => {
      const own = 'chosen by the creator: 密钥 \u{1f511}';
      const [all, one, other, off, foreign] = [
        await rig.webhook(`${receiver.url}/200`, { signing_secret: own }),
        await rig.webhook(`${receiver.url}/201`, { events: 'ncr.created' }),
        await rig.webhook(`${receiver.url}/200`, { events: 'hazard.major' }),
        await rig.webhook(`${receiver.url}/200`, { status: 'disabled' }),
        await rig.webhook(`${receiver.url}/200`, { tenant_code: 'bravo' }),
      ];
      expect(await rig.emit(ncr(1))).toBe(2);
      const delivered = await rig.delivery(all.id, settled);
      expect(delivered).toMatchObject({
        event: 'ncr.created',
        status: 'success',
        attempts: 1,
        response_code: 200,
        last_error: null,
        responseBody: 'ok',
      });
      expect(await rig.delivery(one.id, settled)).toMatchObject({ status: 'success', response_code: 201 });
      for (const { id } of [other, off, foreign]) expect(await rig.deliveries(id)).toEqual([]);
      const [received] = receiver.to('/200') as [Received];
      const headers = headersOf(received);
      expect(JSON.parse(received.body)).toEqual(ncr(1));
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': 'ncr.created',
        'x-service-signature': serviceSignature(own, received.body),
        'webhook-id': delivered.messageId,
      });
      expect(received.head).toMatch(
        /^X-Service-Event: ncr\.created\r\nX-Service-Signature: sha256=[0-9a-f]{64}\r\nwebhook-id: /m,
      );
      expect(headers['user-agent']).toMatch(/^service-backend\/\d+\.\d+\.\d+$/);
      expect(verify(own, received)).toEqual(ncr(1));
      expect(verify(one.signingSecret, receiver.to('/201')[0] as Received)).toEqual(ncr(1));
      expect(() => verify('another-secret', received)).toThrow();
      expect(() => verify(own, { ...received, body: received.body.replace('1', '2') })).toThrow();
      expect(() => verify(own, received, 600_000)).toThrow();
    },
  );

  test('is written or not with the transaction that causes it', async () => {
    const { id } = await rig.webhook(`${receiver.url}/204`, { tenant_code: 'torn' });
    await expect(rig.emit(ncr(2), 'torn\u0000')).rejects.toThrow();
    expect(await rig.deliveries(id)).toEqual([]);
    await rig.emit(ncr(3), 'torn');
    expect(await rig.delivery(id, settled)).toMatchObject({ status: 'success', response_code: 204 });
  });

  test('arises from a task that is completed as a hazard on a grave event, once', async () => {
    await rig.hub.store.pool.query(
      'insert into projects (tenant_code, project_id, code, name, status, milestones_total, ' +
        `milestones_at_risk, open_ncr) values ('mine', 41, 'north', 'North', 2, 0, 0, 0)`,
    );
    const { id } = await rig.webhook(`${receiver.url}/202`, { tenant_code: 'mine', events: 'hazard.major' });
    const [grave, slight] = (await rig.post('mine', [
      {
        idempotency_key: 'h1',
        type: 'gas.leak',
        severity: 'high',
        site_ref: 'north',
        occurred_at: '2026-03-01T00:00:00Z',
      },
      { idempotency_key: 'h2', type: 'gas.leak', severity: 'medium', site_ref: 'north' },
    ])) as [number, number];
    const complete = async (event: number): Promise<number> => {
      const task = jsonOf<{ id: number }>(
        expectStatus(
          await rig.admin('POST', '/api/core/objects/tasks', {
            tenant_code: 'mine',
            type: 'disposal',
            title: 'Gas',
            severity: 'high',
            event_id: event,
          }),
          201,
        ),
      ).id;
      for (const body of [
        { to: 'taken_over' },
        { to: 'completed', result_code: 'to_hazard' },
        { to: 'closed' },
      ]) {
        expectStatus(
          await rig.admin('POST', `/api/core/objects/tasks/${task}/transition`, {
            tenant_code: 'mine',
            by: 'li',
            ...body,
          }),
          200,
        );
      }
      return task;
    };
    await complete(slight);
    const task = await complete(grave);
    await rig.delivery(id, settled);
    expect(await rig.deliveries(id)).toHaveLength(1);
    expect(JSON.parse(receiver.to('/202')[0]?.body ?? '')).toEqual({
      event: 'hazard.major',
      project_id: 41,
      hazard_id: task,
      title: 'Gas',
      level: 3,
      site_ref: 'north',
      event_id: grave,
      occurred_at: '2026-03-01T08:00:00.000+08:00',
    });
    expect(await rig.hub.store.integration.deliveries.forget([grave])).toBe(1);
    expect(await rig.deliveries(id)).toEqual([]);
  });
});

describe('a receiver', () => {
  test.each([
    [299, 'success', null],
    [300, 'pending', 'redirects are not followed'],
    [301, 'pending', 'redirects are not followed, callback_url must be where they lead (/200).'],
    [410, 'pending', '410'],
    [500, 'pending', '500'],
  ])('that answers %i leaves it %s', async (status, state, error) => {
    const { id } = await rig.webhook(`${receiver.url}/${status}`, { tenant_code: `answers-${status}` });
    await rig.emit(ncr(status), `answers-${status}`);
    const delivery = await rig.delivery(id, tried(1));
    expect(delivery).toMatchObject({
      status: state,
      response_code: status,
      last_error: error === null ? null : (expect.stringContaining(error) as string),
    });
    expect(receiver.to(`/${status}`)).toHaveLength(1);
  });

  test('that sends Retry-After is obeyed within bounds', async () => {
    const { id } = await rig.webhook(`${receiver.url}/429`, { tenant_code: 'patient' });
    await rig.emit(ncr(5), 'patient');
    const { nextAttemptAt, lastAttemptAt } = await rig.delivery(id, tried(1));
    expect(Date.parse(nextAttemptAt ?? '') - Date.parse(lastAttemptAt ?? '')).toBe(45_000);
  });

  test.each([
    [
      'reset',
      /^127\.0\.0\.1:\d+ closed the connection before it answered \(ECONNRESET\); check the network/,
      null,
    ],
    // Its head has said that the event is taken.
    ['cut', null, 200],
    ['noise', /parse|HTTP/i, null],
    ['big', null, 200],
  ])('with the manner "%s" is dealt with', async (manner, error, code) => {
    const { id } = await rig.webhook(`${receiver.url}/${manner}`, { tenant_code: manner });
    await rig.emit(ncr(6), manner);
    const delivery = await rig.delivery(id, tried(1));
    expect(delivery).toMatchObject(
      error === null
        ? { status: 'success', response_code: code }
        : { status: 'pending', response_code: null, last_error: expect.stringMatching(error) as string },
    );
    if (manner === 'big')
      expect([delivery.responseBody?.length, receiver.sent < 64 * 1024 * 1024]).toEqual([4_096, true]);
  });

  test('whose name is not known is tried again, and found once it is', async () => {
    const { id } = await rig.webhook(`${receiver.url.replace('127.0.0.1', 'receiver.test')}/211`, {
      tenant_code: 'nameless',
    });
    await rig.emit(ncr(13), 'nameless');
    const { nextAttemptAt } = await rig.delivery(id, tried(1));
    expect(await rig.deliveries(id)).toMatchObject([
      {
        status: 'pending',
        response_code: null,
        last_error: expect.stringMatching(
          /^the name of receiver\.test(?::\d+)? is not known \(ENOTFOUND\); check the address/,
        ) as string,
      },
    ]);
    names.set('receiver.test', '127.0.0.1');
    await rig.later(Date.parse(nextAttemptAt ?? '') - rig.clock.now());
    expect(await rig.delivery(id, settled)).toMatchObject({
      status: 'success',
      attempts: 2,
      response_code: 211,
    });
  });

  test('that hangs holds nobody else up', async () => {
    const tenant = 'slow';
    const [hang, good] = [
      await rig.webhook(`${receiver.url}/hang`, { tenant_code: tenant }),
      await rig.webhook(`${receiver.url}/206`, { tenant_code: tenant }),
    ];
    for (let one = 0; one < 40; one += 1) await rig.emit(ncr(100 + one), tenant);
    await rig.delivery(good.id, () => receiver.to('/206').length === 40);
    expect(receiver.mostAtOnce('/hang')).toBeLessThanOrEqual(16);
    expectStatus(await call('DELETE', `/webhooks/${hang.id}`), 200);
    receiver.cut('/hang');
  });

  test(
    'that never takes it gets five attempts, spread over two hours, and an alarm; what it missed is ' +
      'recovered',
    async () => {
      const { id } = await rig.webhook(`${receiver.url}/503`, { tenant_code: 'never' });
      await rig.emit(ncr(7), 'never');
      const started = rig.clock.now();
      const times: number[] = [];
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const delivery = await rig.delivery(id, tried(attempt));
        times.push(Date.parse(delivery.lastAttemptAt ?? '') - started);
        if (delivery.nextAttemptAt) await rig.later(Date.parse(delivery.nextAttemptAt) - rig.clock.now());
      }
      for (const [index, about] of [0, 30_000, 300_000, 1_800_000, 7_200_000].entries()) {
        expect(times[index]).toBeGreaterThanOrEqual(about * 0.8);
        expect(times[index]).toBeLessThanOrEqual(about * 1.2 + 60_000);
      }
      expect(await rig.deliveries(id)).toMatchObject([
        { status: 'failed', attempts: 5, response_code: 503, nextAttemptAt: null },
      ]);
      expect(receiver.to('/503')).toHaveLength(5);
      expect(new Set(receiver.to('/503').map(({ body }) => body)).size).toBe(1);
      const alarms = async () =>
        jsonOf<{ items: { key: string }[] }>(
          await rig.admin('GET', '/api/core/alarms?tenant_code=never'),
        ).items.map(({ key }) => key);
      expect(await alarms()).toEqual([`webhook.failing:${id}`]);
      expectStatus(await call('PATCH', `/webhooks/${id}`, { callback_url: `${receiver.url}/207` }), 200);
      expect(
        jsonOf(
          expectStatus(
            await call('POST', `/webhooks/${id}/recover`, { since: new Date(started - 1).toISOString() }),
            202,
          ),
        ),
      ).toEqual({ queued: 1, hasMore: false });
      expect(await rig.delivery(id, settled)).toMatchObject({ status: 'success' });
      expect((await rig.deliveries(id, '?status=failed')).map(({ attempts }) => attempts)).toEqual([5]);
    },
  );
});

describe('a webhook', () => {
  test('that is disabled or deleted is sent nothing more, and its records say why', async () => {
    const { id } = await rig.webhook(`${receiver.url}/500`, { tenant_code: 'ends' });
    const last = async () => (await rig.deliveries(id))[0];
    await rig.emit(ncr(8), 'ends');
    await rig.delivery(id, tried(1));
    expectStatus(await call('PATCH', `/webhooks/${id}`, { status: 'disabled' }), 200);
    expect(await last()).toMatchObject({
      status: 'failed',
      attempts: 1,
      response_code: 500,
      last_error: expect.stringMatching(/^The webhook was disabled.*500/) as string,
      last_error_zh: '等待投递时 webhook 被停用。此前：接收方应答 500。',
    });
    expect(jsonOf(expectStatus(await call('POST', `/webhooks/${id}/test`), 409))).toMatchObject({
      error: 'webhook_disabled',
      retryable: false,
    });
    const deliveryId = (await last())?.id ?? '';
    expectStatus(await call('POST', `/deliveries/${deliveryId}/resend`), 409);
    expect(await rig.emit(ncr(9), 'ends')).toBe(0);
    expectStatus(await call('PATCH', `/webhooks/${id}`, { status: 'enabled' }), 200);
    expect(
      jsonOf(
        expectStatus(
          await call('POST', `/webhooks/${id}/recover`, {
            since: new Date(rig.clock.now() - 60_000).toISOString(),
          }),
          202,
        ),
      ),
    ).toEqual({ queued: 2, hasMore: false });
    expectStatus(await call('DELETE', `/webhooks/${id}`), 200);
    expectStatus(await call('GET', `/webhooks/${id}`), 404);
    const ended = await rig.deliveries(id);
    expect([ended.length, new Set(ended.map(({ status }) => status))]).toEqual([3, new Set(['failed'])]);
  });

  test('can be sent a test and a delivery again, with the same bytes and message id', async () => {
    const { id, signingSecret } = await rig.webhook(`${receiver.url}/208`, {
      tenant_code: 'again',
      events: 'hazard.major',
    });
    expectStatus(await call('POST', `/webhooks/${id}/test`), 202);
    const first = await rig.delivery(id, settled);
    expect(first).toMatchObject({ event: 'webhook.test', status: 'success' });
    await rig.later(1);
    expectStatus(await call('POST', `/deliveries/${first.id}/resend`), 202);
    await rig.delivery(id, (delivery) => delivery.id !== first.id && settled(delivery));
    const [one, two] = receiver.to('/208') as [Received, Received];
    expect([two.body, headersOf(two)['webhook-id'], headersOf(two)['x-service-event']]).toEqual([
      one.body,
      headersOf(one)['webhook-id'],
      'webhook.test',
    ]);
    expect(verify(signingSecret, one)).toEqual({
      event: 'webhook.test',
      message: expect.any(String) as string,
      at: expect.stringMatching(/\+08:00$/) as string,
    });
  });

  test('can be sent each event with made-up data, which no webhook has missed', async () => {
    const tenant = 'samples';
    const { id, signingSecret } = await rig.webhook(`${receiver.url}/206`, { tenant_code: tenant });
    const other = await rig.webhook(`${receiver.url}/206-other`, { tenant_code: tenant });
    for (const event of ['milestone.changed', 'hazard.major', 'ncr.created', 'procurement.delay']) {
      const before = receiver.to('/206').length;
      expectStatus(await call('POST', `/webhooks/${id}/test`, { event }), 202);
      await until('it is sent', async () => receiver.to('/206').length > before);
      const sent = receiver.to('/206').at(-1) as Received;
      expect(headersOf(sent)['x-service-event']).toBe(event);
      expect(verify(signingSecret, sent)).toMatchObject({ event, project_id: 0 });
    }
    const since = new Date(rig.clock.now() - 60_000).toISOString();
    const recovered = await call('POST', `/webhooks/${other.id}/recover`, { since });
    expect(jsonOf(expectStatus(recovered, 202))).toEqual({ queued: 0, hasMore: false });
    expectStatus(await call('POST', `/webhooks/${id}/test`, { event: 'no.such' }), 400);
  });

  test('that is sent one again that still waits is sent it once, and another webhook is sent nothing', async () => {
    const tenant = 'waits';
    const [slow, other] = [
      await rig.webhook(`${receiver.url}/500`, { tenant_code: tenant }),
      await rig.webhook(`${receiver.url}/212`, { tenant_code: tenant }),
    ];
    await rig.emit(ncr(14), tenant);
    const waiting = await rig.delivery(slow.id, tried(1));
    await rig.delivery(other.id, settled);
    expectStatus(await call('PATCH', `/webhooks/${slow.id}`, { callback_url: `${receiver.url}/213` }), 200);
    await rig.later(1);
    expectStatus(await call('POST', `/deliveries/${waiting.id}/resend`), 202);
    await rig.delivery(slow.id, (delivery) => delivery.id !== waiting.id && settled(delivery));
    expect(await rig.deliveries(slow.id)).toMatchObject([
      { status: 'success', attempts: 1, messageId: waiting.messageId },
      {
        id: waiting.id,
        status: 'failed',
        attempts: 1,
        last_error: 'It was sent again by hand. Before: The receiver answered 500.',
        last_error_zh: '已人工重发。此前：接收方应答 500。',
      },
    ]);
    expect(
      jsonOf(
        expectStatus(
          await call('POST', `/webhooks/${slow.id}/recover`, {
            since: new Date(rig.clock.now() - 60_000).toISOString(),
          }),
          202,
        ),
      ),
    ).toEqual({ queued: 0, hasMore: false });
    await rig.later(3_600_000);
    expect([
      receiver.to('/213').length,
      receiver.to('/212').length,
      (await rig.deliveries(other.id)).length,
    ]).toEqual([1, 1, 1]);
  });

  test('signs with the new secret alone after a rotation without overlap', async () => {
    const { id, signingSecret } = await rig.webhook(`${receiver.url}/214`, { tenant_code: 'rotated' });
    const rotated = jsonOf<{ signingSecret: string; previousSecretUntil: string | null }>(
      expectStatus(await call('POST', `/webhooks/${id}/rotate`, { overlap_hours: 0 }), 200),
    );
    await rig.emit(ncr(15), 'rotated');
    await rig.delivery(id, settled);
    const [received] = receiver.to('/214') as [Received];
    expect([rotated.previousSecretUntil, verify(rotated.signingSecret, received)]).toEqual([null, ncr(15)]);
    expect(() => verify(signingSecret, received)).toThrow();
    expect(received.head).not.toMatch(/signature-previous/i);
  });

  test('signs with both secrets while a rotation lasts', async () => {
    const tenant = 'rotates';
    const { id, signingSecret } = await rig.webhook(`${receiver.url}/209`, { tenant_code: tenant });
    const rotated = jsonOf<{ signingSecret: string }>(
      expectStatus(
        await call('POST', `/webhooks/${id}/rotate`, {
          overlap_hours: 1,
          signing_secret: 'the-second-secret',
        }),
        200,
      ),
    );
    await rig.emit(ncr(10), tenant);
    await rig.delivery(id, settled);
    await rig.later(3_600_000);
    await rig.emit(ncr(11), tenant);
    await rig.delivery(id, (delivery) => settled(delivery) && receiver.to('/209').length === 2);
    const [during, after] = receiver.to('/209') as [Received, Received];
    for (const secret of [signingSecret, rotated.signingSecret])
      expect(verify(secret, during)).toEqual(ncr(10));
    expect(headersOf(during)).toMatchObject({
      'x-service-signature': serviceSignature('the-second-secret', during.body),
      'x-service-signature-previous': serviceSignature(signingSecret, during.body),
    });
    expect(verify(rotated.signingSecret, after)).toEqual(ncr(11));
    expect(() => verify(signingSecret, after)).toThrow();
    expect(headersOf(after)['x-service-signature-previous']).toBeUndefined();
  });

  test('has its changes in the audit, and its secret nowhere in clear', async () => {
    const { id, signingSecret } = await rig.webhook(`${receiver.url}/200`, { tenant_code: 'audited' });
    for (const path of ['test', 'rotate'])
      expectStatus(await call('POST', `/webhooks/${id}/${path}`), 200, 202);
    expectStatus(await call('PATCH', `/webhooks/${id}`, { name: 'x' }), 200);
    expectStatus(await call('DELETE', `/webhooks/${id}`), 200);
    const audit = await rig.admin('GET', `/api/core/audit?subject=webhook:${id}`);
    expect(
      jsonOf<{ items: { action: string }[] }>(audit)
        .items.map(({ action }) => action)
        .sort(),
    ).toEqual(['webhook.changed', 'webhook.created', 'webhook.removed', 'webhook.rotated', 'webhook.tested']);
    const { rows } = await rig.hub.store.pool.query<{ all: string }>(
      'select (select json_agg(w) from webhooks w)::text as all',
    );
    const lists = await rig.admin('GET', '/api/integration/webhooks');
    for (const text of [audit.text, rows[0]?.all ?? '', lists.text])
      expect(text.includes(signingSecret) || text.includes(signingSecret.slice(6))).toBe(false);
    expect(audit.text).not.toContain('sealed:');
  });

  test('settled deliveries go when they are old, those that wait stay', async () => {
    const { queue } = rig.hub.store.integration;
    const [wait, taken] = [
      await rig.webhook(`${receiver.url}/500`, { tenant_code: 'old' }),
      await rig.webhook(`${receiver.url}/216`, { tenant_code: 'old' }),
    ];
    await rig.emit(ncr(12), 'old');
    await rig.delivery(wait.id, tried(1));
    await rig.delivery(taken.id, settled);
    while ((await queue.sweep(rig.clock.now() + 1, 10)) > 0);
    expect([await rig.deliveries(wait.id), await rig.deliveries(taken.id)]).toEqual([
      [expect.objectContaining({ status: 'pending', attempts: 1 })],
      [],
    ]);
  });

  test(
    'is sent what came while the hub had lost its connections to the database, the one that hears of ' +
      'deliveries among them',
    async () => {
      const { id } = await rig.webhook(`${receiver.url}/215`, { tenant_code: 'cut' });
      const client = clientOf(String(rig.hub.store.pool.options.connectionString));
      await client.connect();
      const { rowCount } = await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ' +
          `pid <> pg_backend_pid() and application_name like 'fieldline-hq%'`,
      );
      expect(rowCount).toBeGreaterThanOrEqual(2);
      await client.end();
      await until('events can be written again', () => rig.emit(ncr(16), 'cut').catch(() => null));
      expect(await rig.delivery(id, settled)).toMatchObject({ status: 'success', response_code: 215 });
      expect(receiver.to('/215')).toHaveLength(1);
    },
  );
});
