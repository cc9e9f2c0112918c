// What the calls of people and cameras refuse, field by field, the uplink refuses too: a site that is stolen,
// damaged or hostile brings nothing that could not have been written at headquarters.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitEvent } from '../../../common/core/event/intake.ts';
import { upsertInput } from '../../../common/core/incident/schema.ts';
import { bodyFaults } from '../../../common/core/task/body.ts';
import { edgeNoteInput, stepInput, taskInput, transitionInput } from '../../../common/core/task/schema.ts';
import { correctionInput, verdictInput } from '../../../common/core/verdict/schema.ts';
import { textFault } from '../../../common/http/body/json.ts';
import { parseChangeItem } from '../../../common/uplink/change/item.ts';
import { parseEventItem } from '../../../common/uplink/event-item.ts';
import { eventItems } from '../../../hq/receiver/items.ts';

type Members = Record<string, unknown>;
/** What a call takes, and what an item with the same content is. */
interface Pair {
  taken: (members: Members) => boolean;
  read: (members: Members) => boolean;
  /** Each member of the call by its path in the item. */
  members: Record<string, string>;
  input: Members;
  item: Members;
}

const file = { name: 'a.jpg', content_type: 'image/jpeg', size: 3, sha256: '0'.repeat(64) };
const keptFile = { name: 'a.jpg', contentType: 'image/jpeg', size: 3, sha256: '0'.repeat(64) };
const poster = { keyId: 'cam', tenantCode: 'acme' };
const event: Pair = {
  taken: (members) => admitEvent(members, poster).ok,
  read: (members) => parseEventItem(members).ok,
  input: {
    ...{ idempotency_key: 'k', tenant_code: 'acme', type: 'a.b', kind: 'alert', source: 'video' },
    ...{ severity: 'low', is_test: false, judged: {}, evidence: [file], payload: { a: 1 } },
  },
  item: {
    ...{ origin_id: 7, received_at: 100, tenant_code: 'acme', idempotency_key: 'k', type: 'a.b' },
    ...{ kind: 'alert', source: 'video', severity: 'low', occurred_at: 1, is_test: false },
    doc: { judged: {}, evidence: [keptFile], payload: { a: 1 } },
  },
  members: {
    ...{ idempotency_key: 'idempotency_key', type: 'type', kind: 'kind', source: 'source' },
    ...{ severity: 'severity', is_test: 'is_test', site_ref: 'doc.siteRef', camera_ref: 'doc.cameraRef' },
    ...{ camera_name: 'doc.cameraName', point_ref: 'doc.pointRef', title: 'doc.title' },
    ...{ description: 'doc.description', local_alert_no: 'doc.localAlertNo', payload: 'doc.payload' },
    ...{ feedback_url: 'doc.feedbackUrl', 'judged.type': 'doc.judged.type', 'judged.by': 'doc.judged.by' },
    ...{ 'judged.confidence': 'doc.judged.confidence', 'judged.text': 'doc.judged.text' },
    'judged.model_version': 'doc.judged.modelVersion',
    'judged.basis_version': 'doc.judged.basisVersion',
    ...{ 'evidence.0.name': 'doc.evidence.0.name', 'evidence.0.size': 'doc.evidence.0.size' },
    'evidence.0.content_type': 'doc.evidence.0.contentType',
    'evidence.0.sha256': 'doc.evidence.0.sha256',
    'payload.a': 'doc.payload.a',
  },
};

const said = { verdict: 'confirmed', by: 'op', by_kind: 'human', note: 'n' };
const judged = { type: 'type', confidence: 'confidence', by: 'by', text: 'text' };
const verdict: Pair = {
  taken: (members) => verdictInput.safeParse(members).success,
  read: (members) => parseChangeItem(members).ok,
  input: { ...said, disposition: {} },
  item: {
    ...{ change_no: 1, at: 1, tenant_code: 'acme', kind: 'verdict' },
    body: { ...said, event_key: 'k', at: 1, judged: {}, disposition: {} },
  },
  members: {
    ...{ verdict: 'body.verdict', by: 'body.by', by_kind: 'body.by_kind', note: 'body.note' },
    ...Object.fromEntries(
      Object.entries(judged).map(([name, kept]) => [`judged_${name}`, `body.judged.${kept}`]),
    ),
    judged_model_version: 'body.judged.modelVersion',
    judged_basis_version: 'body.judged.basisVersion',
    ...Object.fromEntries(
      ['type', 'severity', 'channel', 'deadline', 'message', 'summary'].map((name) => [
        `disposition.${name}`,
        `body.disposition.${name}`,
      ]),
    ),
    'disposition.task_no': 'body.disposition.taskNo',
  },
};
const correction: Pair = {
  taken: (members) => correctionInput.safeParse(members).success,
  read: (members) => parseChangeItem(members).ok,
  input: said,
  item: {
    ...{ change_no: 1, at: 1, tenant_code: 'acme', kind: 'correction' },
    body: { ...said, event_key: 'k', at: 1, id: 'c1' },
  },
  members: { verdict: 'body.verdict', by: 'body.by', by_kind: 'body.by_kind', note: 'body.note' },
};

const entries = [
  {
    ...{ kind: 'history', seq: 1, at: 1 },
    doc: { action: 'created', from: null, to: 'open', by: 'op', note: null, resultCode: null },
  },
  { kind: 'step', seq: 2, at: 1, doc: { kind: 'note', text: 't', by: 'op', at: 1, taskState: 'open' } },
  {
    ...{ kind: 'edge_note', seq: 3, at: 1 },
    doc: { text: 't', by: 'op', pushedToEdge: true, pushSkipped: null, pushError: null },
  },
];
const task = {
  ...{ change_no: 1, tenant_code: 'acme', id: 1, created_at: 1, kind: 'task', event: null },
  task: {
    ...{ type: 'disposal', state: 'open', title: 't', severity: 'low', suppressed: false, body: {} },
    ...{ created_by: 'op', updated_at: 1, entry_count: 3, step_count: 1, note_count: 1, refusal_count: 0 },
    entries,
  },
};
const tasked = (
  schema: { safeParse: (value: unknown) => { success: boolean } },
  pair: Pick<Pair, 'input' | 'members'>,
): Pair => ({
  taken: (members) => {
    const { body } = members;
    const free = typeof body === 'object' && body !== null && !Array.isArray(body);
    return schema.safeParse(members).success && (!free || bodyFaults(body as Members).length === 0);
  },
  read: (members) => parseChangeItem(members).ok,
  item: task,
  ...pair,
});

const pairs: Record<string, Pair> = {
  event,
  verdict,
  correction,
  task: tasked(taskInput, {
    input: { tenant_code: 'acme', type: 'disposal', title: 't', severity: 'low', body: {} },
    members: {
      ...{ type: 'task.type', title: 'task.title', severity: 'task.severity', body: 'task.body' },
      assignee_org: 'task.assignee_org',
      'body.history': 'task.body.history',
    },
  }),
  transition: tasked(transitionInput, {
    input: { tenant_code: 'acme', to: 'open', by: 'op', note: 'n', result_code: 'other' },
    members: {
      ...{ to: 'task.entries.0.doc.to', by: 'task.entries.0.doc.by', note: 'task.entries.0.doc.note' },
      result_code: 'task.entries.0.doc.resultCode',
    },
  }),
  step: tasked(stepInput, {
    input: { tenant_code: 'acme', kind: 'note', text: 't', by: 'op' },
    members: {
      ...{ kind: 'task.entries.1.doc.kind', text: 'task.entries.1.doc.text' },
      by: 'task.entries.1.doc.by',
    },
  }),
  'edge note': tasked(edgeNoteInput, {
    input: { tenant_code: 'acme', text: 't', by: 'op' },
    members: { text: 'task.entries.2.doc.text', by: 'task.entries.2.doc.by' },
  }),
  group: {
    taken: (members) => upsertInput.safeParse(members).success,
    read: (members) => parseChangeItem(members).ok,
    input: {
      ...{ tenant_code: 'acme', source_key: 's', layer: 'L1', site_ref: 's', point_ref: 'p', title: 't' },
      event_ids: [1],
    },
    item: {
      ...{ change_no: 1, tenant_code: 'acme', id: 1, created_at: 1, kind: 'group' },
      group: {
        ...{ source_key: 's', layer: 'L1', site_ref: 's', point_ref: 'p', title: 't', state: 'auto' },
        ...{ first_at: 1, last_at: 1, event_types: ['a.b'], sources: ['video'], severity: 'low' },
        ...{ member_count: 1, test_member_count: 0, is_test: false, first_locked: false, cleared_count: 0 },
        ...{ updated_at: 1, members: [] },
      },
    },
    members: Object.fromEntries(
      ['source_key', 'layer', 'site_ref', 'point_ref', 'title'].map((name) => [name, `group.${name}`]),
    ),
  },
};

function placed<T>(whole: T, path: string, value: unknown): T {
  const copy = structuredClone(whole);
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce<unknown>((held, name) => (held as Members)[name], copy);
  (holder as Members)[last] = value;
  return copy;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const sizes = fc.constantFrom(
  0,
  1,
  63,
  64,
  65,
  127,
  128,
  129,
  255,
  256,
  257,
  511,
  513,
  2001,
  4001,
  8001,
  70_000,
);
/** Any JSON value, and what stands just inside and outside of a bound. */
const values = fc.oneof(
  fc.jsonValue({ noUnicodeString: false }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', '闸', '😀', '\u0000', '\ud800', ' ', '\n'), sizes)
    .map(([letter, size]) => letter.repeat(size)),
  fc
    .tuple(fc.constantFrom('\r\n', '\t', '../', ' ', '\u0007'), fc.constantFrom('a', 'image/jpeg', 'a.jpg'))
    .map(([odd, text]) => text + odd + text),
  fc.constantFrom(...['zz', 'image', 'image/jpeg', 'http://a/b', 'file:///etc/passwd', 'low', 'alert']),
  fc.constantFrom(-1, 0, 0.5, 1, 1.5, 1e15, 1e16, 1e300),
  fc.constantFrom(31, 32, 33, 40).map(nested),
  sizes.map((size) => ({ a: 'x'.repeat(size) })),
);

describe.each(Object.entries(pairs))('%s', (_, { taken, read, members, input, item }) => {
  test('is taken as it stands', () => {
    expect(taken(input)).toBe(true);
    expect(read(item)).toBe(true);
  });

  test.each(Object.entries(members))('what is refused as %s is refused as %s', (called, kept) => {
    fc.assert(
      fc.property(values, (value) => {
        // How the wire says that there is none.
        fc.pre(value !== null);
        const refused = !taken(placed(input, called, value)) || textFault(value, '') !== null;
        if (refused) expect(read(placed(item, kept, value))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('an event of a site', () => {
  const far = 253_402_300_799_999;

  test.each([
    ['received_at', far],
    ['received_at', -1],
    ['occurred_at', far + 1],
    ['occurred_at', -62_167_219_200_001],
    ['doc.evidence', Array.from({ length: 21 }, (__, index) => ({ ...keptFile, name: `${index}.jpg` }))],
    ['doc.evidence', [keptFile, keptFile]],
  ])('with %s out of bounds is refused', (path, value) => {
    expect(parseEventItem(placed(event.item, path, value)).ok).toBe(false);
  });

  test('that breaks a bound is refused by itself, with its reason', async () => {
    const large = placed({ ...event.item, origin_id: 8 }, 'doc.siteRef', 'f'.repeat(100_000));
    const { items, rejected } = await eventItems([event.item, large], 'site-1');
    expect(items).toMatchObject([{ origin: { originId: 7 } }]);
    expect(rejected).toEqual([
      {
        originId: 8,
        error: 'validation_failed',
        message: 'doc.siteRef: must have at most 128 characters; it has 100000',
      },
    ]);
  });
});
