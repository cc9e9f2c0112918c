// The items of both channels: rendered by a site, read by headquarters.
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { AppError } from '../../../common/http/error.ts';
import { parseChangeItem } from '../../../common/uplink/change/item.ts';
import { renderJudgement } from '../../../common/uplink/change/judgement.ts';
import { parseEventItem, renderEventItem } from '../../../common/uplink/event-item.ts';
import { changeItems, eventItems, headOf } from '../../../hq/receiver/items.ts';

const doc = {
  siteRef: 's',
  title: '闸门 "north" \\ 😀',
  feedbackUrl: 'http://10.0.0.1/f',
  judged: { type: 'vehicle', confidence: 0.5 },
  evidence: [{ name: 'a.jpg', contentType: 'image/jpeg', size: 3, sha256: '0'.repeat(64) }],
  payload: { a: { __proto__: null, b: [1, null] } },
};
const record: EventRecord = {
  id: 7,
  tenantCode: 'acme',
  idempotencyKey: 'k "1"',
  type: 'vehicle.intrusion',
  kind: 'alert',
  source: 'video',
  severity: null,
  occurredAt: null,
  receivedAt: 100,
  isTest: false,
  nodeKey: 'cam',
  instance: null,
  originId: null,
  originReceivedAt: null,
  doc: JSON.stringify(doc),
  verdict: 'confirmed',
  correctedTo: null,
};
const item = () => JSON.parse(renderEventItem(record)) as Record<string, unknown>;

describe('an event item', () => {
  test('comes through whole', () => {
    const parsed = parseEventItem(item());
    expect(parsed).toMatchObject({
      ok: true,
      event: {
        tenantCode: 'acme',
        idempotencyKey: 'k "1"',
        type: 'vehicle.intrusion',
        kind: 'alert',
        source: 'video',
        severity: null,
        occurredAt: null,
        isTest: false,
        nodeKey: null,
        origin: { originId: 7, receivedAt: 100 },
      },
    });
    expect(parsed.ok && JSON.parse(parsed.event.doc)).toEqual(doc);
  });

  test('of an event that itself came by uplink names where it first arose', () => {
    expect(
      JSON.parse(renderEventItem({ ...record, instance: 'x', originId: 3, originReceivedAt: 50 })),
    ).toMatchObject({ origin_id: 3, received_at: 50 });
  });

  test('may hold members of a later version, which are left out', () => {
    const parsed = parseEventItem({ ...item(), mood: 'good', doc: { ...doc, id: 99, mood: 'good' } });
    expect(parsed.ok && JSON.parse(parsed.event.doc)).toEqual(doc);
  });

  test.each([
    ['origin_id', { origin_id: 0 }],
    ['received_at', { received_at: '100' }],
    ['tenant_code', { tenant_code: '' }],
    ['idempotency_key', { idempotency_key: 'a\u0000' }],
    ['idempotency_key', { idempotency_key: '\ud800' }],
    ['type', { type: 'Vehicle' }],
    ['kind', { kind: 'rumour' }],
    ['severity', { severity: 'dire' }],
    ['is_test', { is_test: 1 }],
    ['doc', { doc: null }],
    ['doc.payload', { doc: { payload: [] } }],
    ['doc.evidence[0].size', { doc: { evidence: [{ ...doc.evidence[0], size: 'c' }] } }],
  ])('with a bad %s is refused', (path, wrong) => {
    expect(parseEventItem({ ...item(), ...wrong })).toMatchObject({ ok: false, fault: { path } });
  });
});

describe('a change item', () => {
  const change = { changeNo: 3, at: 5, eventId: 7, tenantCode: 'acme', decisionId: null };
  const judged = {
    event_key: 'k',
    at: 4,
    verdict: 'merged',
    by: 'op',
    by_kind: 'human',
    note: null,
    merged_into_key: 'm',
    judged: { by: 'm1' },
    disposition: null,
    decision_id: null,
  };

  test.each([
    ['verdict', judged],
    [
      'correction',
      {
        event_key: 'k',
        at: 4,
        id: 'c1',
        verdict: 'false_alarm',
        by: 'op',
        by_kind: 'human',
        note: 'dog',
        merged_into_key: null,
        decision_id: 'c1',
      },
    ],
    [
      'decision_refused',
      {
        event_key: '',
        at: 4,
        decision_id: 'd1',
        reason: 'gone',
        told: { code: 'decision_event_gone', params: {} },
      },
    ],
  ] as const)('%s comes through whole', (kind, body) => {
    const parsed = parseChangeItem(
      JSON.parse(renderJudgement({ ...change, kind, body: JSON.stringify(body) }, 3)),
    );
    expect(parsed).toEqual({ ok: true, item: { change_no: 3, at: 5, tenant_code: 'acme', kind, body } });
  });

  test.each([
    ['kind', 'rumour', {}],
    ['body.verdict', 'verdict', { verdict: 'maybe' }],
    ['body.by', 'verdict', { by: '' }],
    ['body.id', 'correction', {}],
    ['body.decision_id', 'decision_refused', { decision_id: null }],
  ])('with a bad %s is refused', (path, kind, wrong) => {
    expect(
      parseChangeItem({
        change_no: 3,
        at: 5,
        tenant_code: 'acme',
        kind,
        body: { ...judged, note: 'n', ...wrong },
      }),
    ).toMatchObject({ ok: false, fault: { path } });
  });
});

const NAMES = { sender: 'site-1', self: 'hq' };

describe('the items of a request', () => {
  test('are refused one by one', async () => {
    const { items, rejected } = await eventItems([item(), { ...item(), origin_id: 8, type: 'X' }], 'site-1');
    expect(items).toMatchObject([{ origin: { instance: 'site-1', originId: 7, receivedAt: 100 } }]);
    expect(rejected).toEqual([
      {
        originId: 8,
        error: 'validation_failed',
        message: expect.stringMatching(/^type: must be a dotted code/) as string,
      },
    ]);
    expect((await changeItems([{ change_no: 4, kind: 'verdict' }], NAMES)).rejected).toMatchObject([
      { originId: 4, error: 'validation_failed' },
    ]);
  });

  test.each<[string, string | null | undefined, string | null]>([
    ['left out: at the sender', undefined, 'site-1'],
    ['null: at the sender', null, 'site-1'],
    ['another site', 'site-2', 'site-2'],
    ['headquarters, by its name', 'hq', null],
  ])('name the instance of an event merged into, %s', async (_, given, read) => {
    const body = {
      event_key: 'k',
      at: 1,
      verdict: 'merged',
      by: 'op',
      merged_into_key: 'm',
      ...(given === undefined ? {} : { merged_into_instance: given }),
    };
    const { items } = await changeItems(
      [{ change_no: 4, at: 1, tenant_code: 'acme', kind: 'verdict', body }],
      NAMES,
    );
    expect(items).toMatchObject([{ body: { merged_into_key: 'm', merged_into_instance: read } }]);
  });

  test('without a position cannot be set aside, so the request is refused', async () => {
    await expect(eventItems([{ type: 'x' }], 'site-1')).rejects.toThrow(AppError);
    await expect(changeItems([17], NAMES)).rejects.toThrow(AppError);
  });

  test('positions that make no sense are refused', () => {
    const request = {
      protocol: 1,
      version: '1',
      instance: 'i',
      epoch: 'e',
      head: 9,
      oldest: 1,
      cursor: { from: 3, to: 5 },
      items: [],
    };
    expect(headOf(request)).toEqual({
      instance: 'i',
      epoch: 'e',
      version: '1',
      from: 3,
      to: 5,
      head: 9,
      oldest: 1,
      held: null,
      at: null,
    });
    expect(() => headOf({ ...request, cursor: { from: 6, to: 5 } })).toThrow(/not valid/);
    expect(() => headOf({ ...request, head: 4 })).toThrow(/not valid/);
  });
});
