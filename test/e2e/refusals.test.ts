// The table "Errors" of spec 2, row by row, over HTTP on both programs: each refusal has its status, and
// changes nothing. Statistics that take too long, contention and datasets have tests of their own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';

const TASKS = '/api/core/objects/tasks';
const INCIDENTS = '/api/core/incidents';

/** What the requests of a row are about, made anew for each. */
interface Things {
  event: number;
  task: number;
  completed: number;
  postmortem: number;
  group: number;
  closed: number;
}

interface Request {
  what: string;
  to: (things: Things) => string;
  body?: (things: Things) => object;
  status: number;
  /** Only of 409. */
  retryable?: boolean;
  /** Path of a fault that is listed. */
  fault?: string;
}

const post = (
  what: string,
  to: (things: Things) => string,
  body: object | ((things: Things) => object),
  status: number,
  more: Partial<Request> = {},
): Request => ({
  what,
  to,
  body: typeof body === 'function' ? (body as (things: Things) => object) : () => body,
  status,
  ...more,
});

const verdict = ({ event }: Things): string => `/api/core/events/${event}/verdict`;
const move =
  (id: keyof Things) =>
  (things: Things): string =>
    `${TASKS}/${things[id]}/transition`;
const onTask =
  (what: string, id: keyof Things = 'task') =>
  (things: Things): string =>
    `${TASKS}/${things[id]}/${what}`;
const onGroup =
  (what: string, id: keyof Things) =>
  (things: Things): string =>
    `${INCIDENTS}/${things[id]}/${what}`;
const by = { tenant_code: 'acme', by: 'li' };
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
const step = { ...by, kind: 'note', text: 'seen' };
const newTask = { tenant_code: 'acme', type: 'disposal', title: 'look', severity: 'high' };

const ROWS: [row: string, requests: Request[]][] = [
  [
    'verdict value outside the three, false alarm without note, merge without merged_into, tenant_code ' +
      'not matching: verdict refused',
    [
      post('a fourth value', verdict, { verdict: 'unsure', by: 'li' }, 400, { fault: 'verdict' }),
      post('no value', verdict, { by: 'li' }, 400, { fault: 'verdict' }),
      post('false alarm without note', verdict, { verdict: 'false_alarm', by: 'li' }, 400, { fault: 'note' }),
      post('merge without merged_into', verdict, { verdict: 'merged', by: 'li' }, 400, {
        fault: 'merged_into',
      }),
      post('another tenant', verdict, { verdict: 'confirmed', by: 'li', tenant_code: 'other' }, 403),
    ],
  ],
  [
    'unknown result_code: 400; task unchanged',
    [
      post('completed as done', move('task'), { ...by, to: 'completed', result_code: 'done' }, 400, {
        fault: 'result_code',
      }),
    ],
  ],
  [
    'protected task body field supplied at creation or in the body call: 400',
    ['history', 'steps', 'result_code', 'edge_notes'].flatMap((field) => [
      post(`${field} at creation`, () => TASKS, { ...newTask, body: { [field]: [] } }, 400, {
        fault: `body.${field}`,
      }),
      post(`${field} in the body call`, onTask('body'), { ...by, body: { [field]: [] } }, 400, {
        fault: `body.${field}`,
      }),
    ]),
  ],
  [
    '/edge_note on a non-disposal task: 400',
    [post('a postmortem request', onTask('edge_note', 'postmortem'), { ...by, text: 'hurry' }, 400)],
  ],
  [
    'step at more than 5 minutes in the future, bad kind, missing required field: step refused',
    [
      post('six minutes ahead', onTask('steps'), () => ({ ...step, at: later(360_000) }), 400, {
        fault: 'at',
      }),
      post('a bad kind', onTask('steps'), { ...step, kind: 'lunch' }, 400, { fault: 'kind' }),
      ...(['tenant_code', 'kind', 'text', 'by'] as const).map((field) =>
        post(
          `no ${field}`,
          onTask('steps'),
          Object.fromEntries(Object.entries(step).filter(([name]) => name !== field)),
          400,
          { fault: field },
        ),
      ),
      post('2001 characters', onTask('steps'), { ...step, text: 'x'.repeat(2_001) }, 400, { fault: 'text' }),
      post('65 characters of operator', onTask('steps'), { ...step, by: 'x'.repeat(65) }, 400, {
        fault: 'by',
      }),
    ],
  ],
  [
    'concurrent completion of a task: later writer gets 409; caller treats it as already handled, ' +
      'refreshes and does not resend',
    [
      post('completed again', move('completed'), { ...by, to: 'completed', result_code: 'other' }, 409, {
        retryable: false,
      }),
    ],
  ],
  [
    'confirm, split or merge on a closed group: 409',
    [
      post('confirm', onGroup('confirm', 'closed'), { by: 'li' }, 409, { retryable: false }),
      post('split', onGroup('split', 'closed'), ({ event }) => ({ by: 'li', event_ids: [event] }), 409, {
        retryable: false,
      }),
      post('merge', onGroup('merge', 'closed'), ({ group }) => ({ by: 'li', incident_ids: [group] }), 409, {
        retryable: false,
      }),
      post(
        'merge of it',
        onGroup('merge', 'group'),
        ({ closed }) => ({ by: 'li', incident_ids: [closed] }),
        409,
        { retryable: false },
      ),
    ],
  ],
  [
    'any other 409 (state already changed): retryable: false; re-read first',
    [
      post('closed before it is completed', move('task'), { ...by, to: 'closed' }, 409, { retryable: false }),
      post('taken over after completion', move('completed'), { ...by, to: 'taken_over' }, 409, {
        retryable: false,
      }),
    ],
  ],
  [
    'timeline without tenant_code: refused',
    [
      {
        what: 'no tenant',
        to: ({ event }) => `/api/core/events/${event}/timeline`,
        status: 400,
        fault: 'tenant_code',
      },
    ],
  ],
];

describe.each(['site', 'headquarters'])('%s', (program) => {
  let scene: Scene;
  let call: Call;
  let key: SigningKey;
  let url: string;
  let things: Things;

  const made = async (target: string, body: object): Promise<number> =>
    jsonOf<{ id: number }>(expectStatus(await call('POST', target, body), 200, 201)).id;

  beforeAll(async () => {
    scene = new Scene();
    const here = program === 'site' ? await startSiteHere(scene) : await startHubHere(scene);
    call = here.call;
    url = 'site' in here ? here.site.url : here.hub.url;
    key = jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'cam' }), 201),
    );
    const events = Array.from({ length: 3 }, (_, index) => ({
      idempotency_key: `k${index}`,
      type: 'vehicle.intrusion',
      occurred_at: '2026-03-01T00:00:00Z',
    }));
    const posted = await signedCall({
      url,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events }),
    });
    const [event = 0, second = 0, third = 0] = jsonOf<{ items: { id: number }[] }>(
      expectStatus(posted, 201),
    ).items.map(({ id }) => id);
    const [task, completed] = [
      await made(TASKS, { ...newTask, event_id: event }),
      await made(TASKS, { ...newTask, event_id: event }),
    ];
    const postmortem = await made(TASKS, { ...newTask, type: 'postmortem_request', event_id: event });
    for (const to of ['taken_over', 'completed'])
      expectStatus(await call('POST', `${TASKS}/${completed}/transition`, { ...by, to }), 200);
    const group = (id: number) =>
      made(`${INCIDENTS}/upsert`, {
        tenant_code: 'acme',
        source_key: `g${id}`,
        layer: 'L1',
        site_ref: 's',
        event_ids: [id],
      });
    const [living, target, closed] = [await group(event), await group(second), await group(third)];
    expectStatus(
      await call('POST', `${INCIDENTS}/${target}/merge`, { by: 'li', incident_ids: [closed] }),
      200,
    );
    things = { event, task, completed, postmortem, group: living, closed };
  });
  afterAll(() => scene.close());

  /**
   * Everything that a refusal could have changed; a refused transition leaves its entry in the history (spec
   * 2, "Tasks").
   */
  async function facts(): Promise<unknown> {
    const lists = [
      '/api/core/events/list',
      TASKS,
      `${INCIDENTS}?include_test=true`,
      `${INCIDENTS}?state=closed`,
    ];
    return Promise.all(
      lists.map(async (list) =>
        jsonOf<{ items: object[] }>(expectStatus(await call('GET', list), 200)).items.map((item) =>
          JSON.stringify(item, (name, value: unknown) =>
            ['history', 'refusalCount', 'updatedAt'].includes(name) ? undefined : value,
          ),
        ),
      ),
    );
  }
  const history = async (id: number): Promise<object[]> =>
    jsonOf<{ body: { history: object[] } }>(expectStatus(await call('GET', `${TASKS}/${id}`), 200)).body
      .history;

  describe.each(ROWS)('%s', (_, requests) => {
    test.each(requests.map((request) => [request.what, request] as const))(
      '%s',
      async (_what, { to, body, status, retryable, fault }) => {
        const before = await facts();
        const answer: Answer = body
          ? await call('POST', to(things), body(things))
          : await call('GET', to(things));
        expect(answer.status, answer.text).toBe(status);
        const said = jsonOf<{
          error: string;
          message: string;
          retryable?: boolean;
          details?: { path: string }[];
        }>(answer);
        expect(said.message).toMatch(/\w+ \w+/);
        expect(said.retryable).toBe(retryable);
        if (fault !== undefined) expect(said.details?.map(({ path }) => path)).toContain(fault);
        expect(await facts()).toEqual(before);
      },
    );
  });

  test('of two completions at once one is written, the other gets 409, and history gains one entry for it', async () => {
    const task = await made(TASKS, newTask);
    expectStatus(await call('POST', `${TASKS}/${task}/transition`, { ...by, to: 'taken_over' }), 200);
    const before = (await history(task)).length;
    const complete = (who: string, result: string): Promise<Answer> =>
      call('POST', `${TASKS}/${task}/transition`, {
        tenant_code: 'acme',
        by: who,
        to: 'completed',
        result_code: result,
      });
    const answers = await Promise.all([complete('li', 'eliminated'), complete('wu', 'controlled')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await history(task)).slice(before)).toMatchObject([
      { action: 'transition', to: 'completed' },
      { action: 'refused', to: 'completed' },
    ]);
  });
});
