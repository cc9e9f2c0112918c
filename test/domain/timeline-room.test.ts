// How much one answer holds of a timeline.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../common/core/event/record.ts';
import { assembleTimeline } from '../../common/core/timeline/decide.ts';
import type { KnowledgeEntry } from '../../common/core/timeline/port.ts';
import { textIn } from '../../common/json-size.ts';
import { newEvent } from '../contract/samples.ts';

const T = Date.UTC(2026, 2, 1);
const MOST = 4 * 1024 * 1024;
/** Entries are told from the steps of the event by their numbers. */
const FIRST = 100;
const event = {
  ...newEvent('k', { occurredAt: T }),
  ...{ id: 7, receivedAt: T, instance: null, originId: null, originReceivedAt: null },
  ...{ verdict: null, correctedTo: null },
} as EventRecord;
const nothing = { event, verdict: null, corrections: [], audits: [], tasks: [], feedback: [] };

test('entries of any size, dated or not, make one answer with room for it, from the first on', () => {
  const sizes = fc.array(fc.tuple(fc.nat(MOST / 2), fc.boolean()), { maxLength: 20 });
  const holds = (all: readonly (readonly [number, boolean])[]): void => {
    const knowledge = all.map(([size, dated], index): KnowledgeEntry => ({
      ...{ id: FIRST + index, kind: 'checklist', by: null, machineGenerated: false },
      ...{ at: dated ? T + index : null, title: 'x'.repeat(size) },
    }));
    const { steps, undated, truncated } = assembleTimeline(
      { ...nothing, notifications: [], decisions: [], call: null, knowledge },
      { exclude: [], self: 'site-1', called: (instance) => instance, asOf: T },
    );
    const text = [...steps, ...undated].reduce((sum, entry) => sum + textIn(entry), 0);
    expect(text).toBeLessThanOrEqual(MOST);
    for (const rows of [steps, undated]) {
      const found = rows.map(({ source }) => Number(source.key)).filter((key) => key >= FIRST);
      const wanted = all.flatMap(([, dated], index) => (dated === (rows === steps) ? [FIRST + index] : []));
      expect(found).toEqual(wanted.slice(0, found.length));
      expect(truncated || found.length === wanted.length).toBe(true);
    }
  };
  fc.assert(fc.property(sizes, holds), { numRuns: 60 });
});
