// Tasks over HTTP on both programs, beside a camera that listens. Tests bear the names of the rows of spec 2
// that they hold.
import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signatureMatches, type SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const TASKS = '/api/core/objects/tasks';

interface Task {
  id: number;
  state: string;
  resultCode: string | null;
  stepCount: number;
  overdue: boolean;
  body: {
    history: { action: string; from: string | null; to: string; by: string; resultCode: string | null }[];
    steps: object[];
    result_code: string | null;
    edge_notes: object[];
  };
}

/** What a camera heard, and what it answers next. */
class Camera {
  #heard: { body: Record<string, unknown>; genuine: boolean }[] = [];
  /** What it remembers is about this event: messages of others come again in their own time. */
  eventId = 0;
  status = 200;
  url = '';
  key: SigningKey | null = null;
  #server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const { 'x-core-timestamp': timestamp, 'x-core-signature': signature } = request.headers;
      const genuine =
        this.key !== null &&
        signatureMatches(
          [this.key.secret],
          { timestamp: Number(timestamp), method: 'POST', target: request.url ?? '', body },
          String(signature),
        );
      this.#heard.push({ body: JSON.parse(body.toString()) as Record<string, unknown>, genuine });
      response.writeHead(this.status).end();
    });
  });

  get heard() {
    return this.#heard.filter(({ body }) => body.eventId === this.eventId);
  }

  forget(): void {
    this.#heard = [];
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}/alerts`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe.each(['site', 'hub'] as const)('at a %s', (program) => {
  let scene: Scene;
  let call: Call;
  let url: string;
  let key: SigningKey;
  let eventId: number;
  const camera = new Camera();
  let posted = 0;

  const post = async (over: object): Promise<number> => {
    posted += 1;
    const body = JSON.stringify({
      idempotency_key: `k${posted}`,
      type: 'vehicle.intrusion',
      severity: 'high',
      ...over,
    });
    return (
      jsonOf<{ items: { id: number }[] }>(
        expectStatus(await signedCall({ url, key, method: 'POST', path: '/api/core/events', body }), 201),
      ).items[0]?.id ?? 0
    );
  };
  const create = async (over: object = {}): Promise<Task> =>
    jsonOf<Task>(
      expectStatus(
        await call('POST', TASKS, {
          tenant_code: 'acme',
          type: 'disposal',
          title: 'look',
          severity: 'high',
          ...over,
        }),
        201,
      ),
    );
  const onEvent = (over: object = {}): Promise<Task> => create({ event_id: eventId, ...over });
  const send = (task: { id: number }, what: string, body: object): Promise<Answer> =>
    call('POST', `${TASKS}/${task.id}/${what}`, { tenant_code: 'acme', by: 'li', ...body });
  const move = (task: { id: number }, to: string, more: object = {}): Promise<Answer> =>
    send(task, 'transition', { to, ...more });
  const read = async (task: { id: number }): Promise<Task> =>
    jsonOf<Task>(expectStatus(await call('GET', `${TASKS}/${task.id}`), 200));
  const step = (task: { id: number }, over: object = {}): Promise<Answer> =>
    send(task, 'steps', { kind: 'arrive', text: 'here', ...over });
  const refused = (
    answer: Answer,
    status: number,
  ): { error: string; retryable?: boolean; details?: { path: string }[]; state?: string } => {
    expect(answer.status, answer.text).toBe(status);
    return jsonOf(answer);
  };

  beforeAll(async () => {
    scene = new Scene();
    await camera.open();
    scene.onClose(() => camera.close());
    if (program === 'site') {
      const here = await startSiteHere(scene);
      [call, url] = [here.call, here.site.url];
    } else {
      const here = await startHubHere(scene);
      [call, url] = [here.call, here.hub.url];
    }
    key = jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' }), 201),
    );
    camera.key = key;
  });
  afterAll(() => scene.close());
  beforeEach(async () => {
    eventId = await post({ local_alert_no: 'A-7', feedback_url: camera.url });
    camera.status = 200;
    camera.eventId = eventId;
    camera.forget();
  });

  describe('the transition reply flags', () => {
    test('pushed', async () => {
      const task = await onEvent();
      expect(jsonOf(expectStatus(await move(task, 'taken_over', { note: 'on my way' }), 200))).toMatchObject({
        id: task.id,
        state: 'taken_over',
        changed: true,
        resultCodeIgnored: false,
        pushedToEdge: true,
        pushSkipped: null,
        pushError: null,
      });
      expect(camera.heard).toEqual([
        {
          genuine: true,
          body: expect.objectContaining({
            localAlertNo: 'A-7',
            eventId,
            taskId: task.id,
            taskState: 'taken_over',
            by: 'li',
            reason: 'on my way',
            at: expect.stringMatching(/Z$/),
          }),
        },
      ]);
      expect(jsonOf(await move(task, 'completed', { result_code: 'eliminated' }))).toMatchObject({
        pushedToEdge: true,
        resultCode: 'eliminated',
        resultCodeIgnored: false,
      });
      expect(camera.heard[1]?.body).toMatchObject({ taskState: 'completed', reason: null });
    });

    test.each(['review', 'postmortem_request'])(
      'deliberately not pushed: task is not a disposal task (%s)',
      async (type) => {
        const task = await onEvent({ type });
        for (const to of ['taken_over', 'cancelled'])
          expect(jsonOf(await move(task, to))).toMatchObject({
            pushedToEdge: false,
            pushSkipped: 'non_disposal',
            pushError: null,
          });
        expect(camera.heard).toEqual([]);
      },
    );

    test('deliberately not pushed: task not attached to an event', async () => {
      const task = await create();
      for (const to of ['taken_over', 'cancelled'])
        expect(jsonOf(await move(task, to))).toMatchObject({
          pushedToEdge: false,
          pushSkipped: 'not_on_event',
          pushError: null,
        });
    });

    test('should have been pushed but failed', async () => {
      camera.status = 500;
      const task = await onEvent();
      expect(jsonOf(await move(task, 'taken_over'))).toMatchObject({
        state: 'taken_over',
        changed: true,
        pushedToEdge: false,
        pushSkipped: null,
        pushError: 'answered with an error: HTTP 500',
      });
      const mute = await create({ event_id: await post({}) });
      expect(jsonOf(await move(mute, 'taken_over'))).toMatchObject({
        pushedToEdge: false,
        pushSkipped: null,
        pushError: expect.stringMatching(/without a feedback address/),
      });
    });

    test('closing and cancelling are pushed too, so that the answer is one of the four cases', async () => {
      const [closed, cancelled] = [await onEvent(), await onEvent()];
      for (const to of ['taken_over', 'completed']) await move(closed, to);
      camera.forget();
      for (const answer of [await move(closed, 'closed'), await move(cancelled, 'cancelled')]) {
        expect(jsonOf(answer)).toMatchObject({
          changed: true,
          pushedToEdge: true,
          pushSkipped: null,
          pushError: null,
        });
      }
      expect(camera.heard).toHaveLength(2);
    });

    test('a verdict that comes again says how its own message went, not how that of a task did', async () => {
      const judge = (): Promise<Answer> =>
        call('POST', `/api/core/events/${eventId}/verdict`, { verdict: 'confirmed', by: 'li' });
      expect(jsonOf(await judge())).toMatchObject({ changed: true, pushedBack: true });
      camera.status = 500;
      await move(await onEvent(), 'taken_over');
      expect(jsonOf(await judge())).toMatchObject({ changed: false, pushedBack: true, pushError: null });
    });

    test('a result_code on another transition is not recorded', async () => {
      const task = await onEvent();
      expect(jsonOf(await move(task, 'taken_over', { result_code: 'other' }))).toMatchObject({
        state: 'taken_over',
        resultCode: null,
        resultCodeIgnored: true,
      });
      expect(jsonOf(await move(task, 'cancelled', { result_code: 'other' }))).toMatchObject({
        state: 'cancelled',
        resultCode: null,
        resultCodeIgnored: true,
      });
      expect((await read(task)).body).toMatchObject({ result_code: null });
    });
  });

  describe('the errors', () => {
    test('unknown result_code', async () => {
      const task = await onEvent();
      await move(task, 'taken_over');
      const before = await read(task);
      for (const [to, code] of [
        ['completed', 'gone'],
        ['cancelled', 'gone'],
        ['completed', ''],
      ] as const) {
        expect(refused(await move(task, to, { result_code: code }), 400).details).toMatchObject([
          { path: 'result_code' },
        ]);
      }
      expect(await read(task)).toEqual(before);
    });

    test('protected task body field supplied at creation or in the body call', async () => {
      const body = { history: [], steps: [], result_code: 'other', edge_notes: [], mine: 1 };
      const named = ['body.history', 'body.steps', 'body.result_code', 'body.edge_notes'];
      const made = await call('POST', TASKS, {
        tenant_code: 'acme',
        type: 'disposal',
        title: 'x',
        severity: 'low',
        body,
      });
      expect(refused(made, 400).details?.map(({ path }) => path)).toEqual(named);
      const task = await onEvent({ body: { mine: 0 } });
      expect(refused(await send(task, 'body', { body }), 400).details?.map(({ path }) => path)).toEqual(
        named,
      );
      expect(await read(task)).toEqual(task);
    });

    test.each(['review', 'postmortem_request'])('/edge_note on a non-disposal task (%s)', async (type) => {
      const task = await onEvent({ type });
      expect(refused(await send(task, 'edge_note', { text: 'hurry' }), 400)).toMatchObject({
        error: 'non_disposal',
      });
      expect([camera.heard, await read(task)]).toEqual([[], task]);
    });

    const late = (ms: number) => new Date(Date.now() + ms).toISOString();
    test.each<[string, () => object, string]>([
      ['at more than 5 minutes in the future', () => ({ at: late(330_000) }), 'at'],
      ['at that is no time', () => ({ at: 'soon' }), 'at'],
      ['bad kind', () => ({ kind: 'sleep' }), 'kind'],
      ['missing kind', () => ({ kind: undefined }), 'kind'],
      ['missing text', () => ({ text: undefined }), 'text'],
      ['blank text', () => ({ text: ' \n' }), 'text'],
      ['text of 2001 characters', () => ({ text: '字'.repeat(2001) }), 'text'],
      ['missing by', () => ({ by: undefined }), 'by'],
      ['by of 65 characters', () => ({ by: 'x'.repeat(65) }), 'by'],
      ['missing tenant_code', () => ({ tenant_code: undefined }), 'tenant_code'],
      ['an unknown member', () => ({ state: 'closed' }), 'state'],
    ])('step with %s', async (_name, over, path) => {
      const task = await onEvent();
      expect(refused(await step(task, over()), 400).details).toMatchObject([{ path }]);
      expect(await read(task)).toEqual(task);
    });

    test('concurrent completion of a task', async () => {
      const task = await onEvent();
      await move(task, 'taken_over');
      const answers = await Promise.all(
        [1, 2, 3].map((n) => move(task, 'completed', { by: `p${n}`, result_code: 'controlled' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expect(jsonOf(answer)).toMatchObject({
          error: 'transition_refused',
          retryable: false,
          state: 'completed',
        });
      }
      const {
        body: { history },
      } = await read(task);
      expect(history.map(({ action }) => action)).toEqual([
        'created',
        'transition',
        'transition',
        'refused',
        'refused',
      ]);
      expect(camera.heard.map(({ body }) => body.taskState)).toEqual(['taken_over', 'completed']);
    });

    test('any other 409 (state already changed)', async () => {
      const task = await onEvent();
      for (const to of ['completed', 'closed', 'open'])
        expect(refused(await move(task, to), 409)).toMatchObject({ retryable: false, state: 'open' });
      await move(task, 'cancelled');
      for (const to of ['open', 'taken_over', 'completed', 'closed', 'cancelled'])
        expect(refused(await move(task, to), 409)).toMatchObject({ retryable: false, state: 'cancelled' });
      expect((await read(task)).body.history).toHaveLength(10);
      expect(camera.heard.map(({ body }) => body.taskState)).toEqual(['cancelled']);
    });

    test("tenant_code that is not the task's, and a task that is not there", async () => {
      const task = await onEvent();
      const calls: [string, object][] = [
        ['transition', { to: 'taken_over' }],
        ['steps', { kind: 'note', text: 't' }],
        ['body', { body: {} }],
        ['edge_note', { text: 't' }],
      ];
      for (const [what, body] of calls) {
        expect(refused(await send(task, what, { ...body, tenant_code: 'other' }), 403).error).toBe(
          'tenant_mismatch',
        );
        expect(refused(await send({ id: 999_999 }, what, body), 404).error).toBe('not_found');
        expect(
          refused(await send(task, what, { ...body, tenant_code: undefined }), 400).details,
        ).toMatchObject([{ path: 'tenant_code' }]);
      }
      expect(refused(await call('GET', `${TASKS}/${task.id}?tenant_code=other`), 404).error).toBe(
        'not_found',
      );
      expect(await read(task)).toEqual(task);
    });

    test('an event of another tenant, or none', async () => {
      for (const body of [
        { tenant_code: 'other', event_id: eventId },
        { tenant_code: 'acme', event_id: 999_999 },
      ]) {
        expect(
          refused(await call('POST', TASKS, { type: 'review', title: 'x', severity: 'low', ...body }), 400)
            .details,
        ).toMatchObject([{ path: 'event_id' }]);
      }
    });
  });

  describe('the limits', () => {
    test('200 steps per task', async () => {
      const task = await onEvent();
      for (let done = 0; done < 200; done += 20) {
        for (const answer of await Promise.all(Array.from({ length: 20 }, () => step(task))))
          expectStatus(answer, 201);
      }
      expect(refused(await step(task), 409)).toMatchObject({ error: 'too_many_steps', retryable: false });
      expect(await read(task)).toMatchObject({ stepCount: 200, state: 'open' });
    });

    test('step text of 2000 characters, by of 64, whatever the characters', async () => {
      for (const character of ['字', '𠮷']) {
        const [text, by] = [character.repeat(2000), character.repeat(64)];
        expect(jsonOf(expectStatus(await step(await onEvent(), { text, by }), 201))).toMatchObject({
          step: { text, by },
        });
        expect(
          refused(await step(await onEvent(), { text: `${text}${character}`, by: `${by}${character}` }), 400)
            .details,
        ).toMatchObject([{ path: 'text' }, { path: 'by' }]);
      }
    });

    test('body of 64 KiB and 32 levels, also when it is merged', async () => {
      const large = { a: 'x'.repeat(60 * 1024) };
      const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;
      const make = (body: object) =>
        call('POST', TASKS, { tenant_code: 'acme', type: 'review', title: 'x', severity: 'low', body });
      for (const body of [{ a: 'x'.repeat(66_000) }, deep])
        expect(refused(await make(body), 400).details).toMatchObject([{ path: 'body' }]);
      const task = jsonOf<Task>(expectStatus(await make(large), 201));
      for (const body of [{ b: large.a }, deep])
        expect(refused(await send(task, 'body', { body }), 400).details).toMatchObject([{ path: 'body' }]);
      expect((await read(task)).body).toMatchObject(large);
    });
  });

  describe('the disposition record', () => {
    test(
      'a step is appended with the time it happened, the time it came and the state then; the task does ' +
        'not move',
      async () => {
        const task = await onEvent();
        const first = jsonOf<{ step: object; state: string }>(
          expectStatus(await step(task, { at: '2026-03-01T08:00:00' }), 201),
        );
        expect(first).toMatchObject({
          state: 'open',
          stepCount: 1,
          step: { kind: 'arrive', text: 'here', by: 'li', at: '2026-03-01T00:00:00.000Z', taskState: 'open' },
        });
        await move(task, 'taken_over');
        const second = jsonOf<{ step: { at: string; receivedAt: string } }>(
          expectStatus(await step(task, { kind: 'result', at: '2026-03-01T08:00:00+01:00' }), 201),
        );
        expect(second.step).toMatchObject({ at: '2026-03-01T07:00:00.000Z', taskState: 'taken_over' });
        const third = jsonOf<{ step: { at: string; receivedAt: string } }>(
          expectStatus(await step(task, { kind: 'note' }), 201),
        );
        expect(third.step.at).toBe(third.step.receivedAt);
        expect((await read(task)).body.steps).toEqual([first.step, second.step, third.step]);
        const trail = jsonOf<{ items: { action: string; actor: string }[] }>(
          await call('GET', `/api/core/audit?subject=task:${task.id}&action=task.step_added`),
        );
        expect(trail.items).toHaveLength(3);
        expect(trail.items[0]?.actor).toMatch(/^admin from /);
      },
    );

    test('members are laid over the body', async () => {
      const task = await onEvent({ body: { place: 'north', list: [1, 2] } });
      const after = jsonOf<Task>(
        expectStatus(await send(task, 'body', { body: { list: [3], plan: null } }), 200),
      );
      expect(after.body).toMatchObject({
        place: 'north',
        list: [3],
        plan: null,
        steps: [],
        edge_notes: [],
        result_code: null,
      });
      expect(await read(task)).toEqual(after);
    });

    test('a reminder is pushed now, then noted with what came of it', async () => {
      const task = await onEvent();
      expect(jsonOf(expectStatus(await send(task, 'edge_note', { text: '请尽快处理' }), 201))).toMatchObject({
        state: 'open',
        pushedToEdge: true,
        note: { text: '请尽快处理', by: 'li', pushedToEdge: true },
      });
      expect(camera.heard).toMatchObject([
        { genuine: true, body: { taskId: task.id, taskState: 'open', by: 'li', reason: '请尽快处理' } },
      ]);
      camera.status = 503;
      await send(task, 'edge_note', { text: 'again' });
      const loose = await create({ type: 'rectification' });
      expect(jsonOf(await send(loose, 'edge_note', { text: 'x' }))).toMatchObject({
        pushedToEdge: false,
        pushSkipped: 'not_on_event',
        pushError: null,
      });
      expect((await read(task)).body.edge_notes).toMatchObject([
        { text: '请尽快处理', pushedToEdge: true, pushError: null },
        { text: 'again', pushedToEdge: false, pushSkipped: null, pushError: 'answered with an error' },
      ]);
    });

    test('what the camera did not take goes out in the background', async () => {
      camera.status = 500;
      const task = await onEvent();
      await move(task, 'taken_over');
      camera.status = 200;
      camera.forget();
      await until('the message came again', () => Promise.resolve(camera.heard.length > 0));
      expect(camera.heard[0]).toMatchObject({
        genuine: true,
        body: { taskId: task.id, taskState: 'taken_over' },
      });
    });

    test('a rectification may be sent back from acceptance', async () => {
      const task = await onEvent({ type: 'rectification' });
      for (const [to, code] of [
        ['taken_over'],
        ['completed', 'controlled'],
        ['taken_over'],
        ['completed', 'eliminated'],
        ['closed'],
      ]) {
        expectStatus(await move(task, to ?? '', code ? { result_code: code } : {}), 200);
      }
      expect((await read(task)).body).toMatchObject({ result_code: 'eliminated' });
      expect(camera.heard.map(({ body }) => body.taskState)).toEqual([
        'taken_over',
        'completed',
        'taken_over',
        'completed',
        'closed',
      ]);
    });
  });

  test('a postmortem request flows and leaves trace, and takes no part in the batch change of duty staff', async () => {
    const [disposal, postmortem, done] = [
      await onEvent(),
      await onEvent({ type: 'postmortem_request' }),
      await onEvent({ type: 'review' }),
    ];
    await move(done, 'cancelled');
    const batch = await call('POST', `${TASKS}/batch_transition`, {
      tenant_code: 'acme',
      event_id: eventId,
      to: 'taken_over',
      by: 'duty',
      result_code: 'other',
    });
    const flags = { pushSkipped: null, pushError: null };
    expect(jsonOf(expectStatus(batch, 200))).toEqual({
      eventId,
      to: 'taken_over',
      changed: 1,
      skipped: 2,
      resultCodeIgnored: true,
      items: [
        {
          taskId: disposal.id,
          type: 'disposal',
          state: 'taken_over',
          changed: true,
          reason: null,
          pushedToEdge: true,
          ...flags,
        },
        {
          taskId: postmortem.id,
          type: 'postmortem_request',
          state: 'open',
          changed: false,
          reason: 'postmortem_request',
          pushedToEdge: false,
          ...flags,
        },
        {
          taskId: done.id,
          type: 'review',
          state: 'cancelled',
          changed: false,
          reason: 'transition_refused',
          pushedToEdge: false,
          ...flags,
        },
      ],
    });
    for (const to of ['taken_over', 'completed', 'closed']) expectStatus(await move(postmortem, to), 200);
    expect((await read(postmortem)).body.history.map(({ to }) => to)).toEqual([
      'open',
      'taken_over',
      'completed',
      'closed',
    ]);
    expect(camera.heard.map(({ body }) => body.taskId)).toEqual([disposal.id]);
    expect(
      refused(
        await call('POST', `${TASKS}/batch_transition`, {
          tenant_code: 'other',
          event_id: eventId,
          to: 'cancelled',
          by: 'x',
        }),
        403,
      ).error,
    ).toBe('tenant_mismatch');
    expect(
      refused(
        await call('POST', `${TASKS}/batch_transition`, {
          tenant_code: 'acme',
          event_id: 999_999,
          to: 'cancelled',
          by: 'x',
        }),
        404,
      ).error,
    ).toBe('not_found');
    expect(
      refused(
        await call('POST', `${TASKS}/batch_transition`, {
          tenant_code: 'acme',
          event_id: eventId,
          to: 'completed',
          by: 'x',
          result_code: 'gone',
        }),
        400,
      ).details,
    ).toMatchObject([{ path: 'result_code' }]);
  });

  test('lists page by page, newest first, by every filter; overdue is judged when it is read', async () => {
    const due = { due_at: '2026-03-01T08:00:00+08:00', assignee_org: `org-${program}` };
    const made = [await onEvent(due), await onEvent(due), await onEvent({ assignee_org: due.assignee_org })];
    const list = async (query: string) =>
      jsonOf<{ items: Task[]; nextCursor: string | null; hasMore: boolean }>(
        expectStatus(await call('GET', `${TASKS}?tenant_code=acme&${query}`), 200),
      );
    const ids = made.map(({ id }) => id).reverse();
    const org = `assignee_org=${due.assignee_org}`;
    const first = await list(`${org}&limit=2`);
    expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 2), true]);
    const rest = await list(`${org}&limit=2&cursor=${first.nextCursor}`);
    expect([rest.items.map(({ id }) => id), rest.hasMore, rest.nextCursor]).toEqual([
      ids.slice(2),
      false,
      null,
    ]);
    expect((await list(`${org}&overdue=true`)).items.map(({ id, overdue }) => [id, overdue])).toEqual(
      ids.slice(1).map((id) => [id, true]),
    );
    await move(made[0] as Task, 'taken_over');
    expect((await list(`${org}&overdue=true`)).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect(
      (await list(`event_id=${eventId}&state=taken_over&type=disposal`)).items.map(({ id }) => id),
    ).toEqual([ids[2]]);
    expect((await list(`event_id=${eventId}&type=review`)).items).toEqual([]);
    for (const wrong of ['cursor=x', 'state=gone', 'overdue=1', 'event_id=0', 'by=x'])
      expect((await call('GET', `${TASKS}?${wrong}`)).status).toBe(400);
  });
});
