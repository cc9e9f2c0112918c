import { expect, test } from 'vitest';
import type { EventPort } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { TARGET_BYTES } from '../../common/uplink/wire.ts';
import { eventSource } from '../../site/uplink/source.ts';

test('the largest events are read few at a time, in their order, and no more than one request takes', async () => {
  const doc = JSON.stringify({ payload: { seen: 'x'.repeat(64_000) }, title: 'y'.repeat(60_000) });
  const asked: number[] = [];
  const events = {
    page: (after: number, limit: number) => {
      asked.push(limit);
      const rows = Array.from({ length: limit }, (_, at) => ({ id: after + 1 + at, doc }) as EventRecord);
      return Promise.resolve(rows);
    },
  } as unknown as EventPort;
  const items = await eventSource(events).read(0, 1_000);
  expect(items.map(({ position }) => position)).toEqual(items.map((_, at) => at + 1));
  const bytes = items.reduce((sum, { text }) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(TARGET_BYTES);
  expect(bytes).toBeLessThan(2 * TARGET_BYTES);
  expect(Math.max(...asked) * doc.length).toBeLessThan(TARGET_BYTES + doc.length);
});
