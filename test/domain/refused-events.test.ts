import { describe, expect, it } from 'vitest';
import { admitEvent, type Refused } from '../../common/core/event/intake.ts';
import { RefusedEvents } from '../../common/core/event/refused.ts';

const poster = { keyId: 'cam', tenantCode: 'T' };
const refusedOf = (value: unknown): Refused => {
  const result = admitEvent(value, poster);
  if (result.ok) throw new Error('the event was admitted');
  return result;
};
const faulty = { type: 7, kind: 7, severity: 7, judged: { type: 1, confidence: 9 } };

describe('the refused events of a request', () => {
  it('lists the first fifty faults of a batch and counts all others', () => {
    const refused = new RefusedEvents(true);
    for (let index = 0; index < 500; index += 1) refused.add(refusedOf(faulty), index);
    const each = refusedOf(faulty).faults.length;
    const { details, message, messageZh } = refused.error();
    expect(details).toHaveLength(51);
    expect(details?.at(-1)).toMatchObject({ message: `and ${500 * each - 50} more` });
    expect(details?.[0]).toMatchObject({ path: 'events[0].idempotency_key' });
    expect(message).toContain(`details has ${500 * each - 3} more`);
    expect(messageZh).toContain(`其余 ${500 * each - 3} 处`);
    expect(refused.lines).toHaveLength(500);
  });

  it('lists all of fifty-one, since a line that counts one more is no shorter', () => {
    const refused = new RefusedEvents(true);
    for (let index = 0; index < 51; index += 1)
      refused.add(refusedOf({ idempotency_key: 'k', type: 'a.b', kind: 'none' }), index);
    expect(refused.error().details).toHaveLength(51);
    expect(refused.error().details?.at(-1)).toMatchObject({ path: 'events[50].kind' });
  });
});

describe('a text far beyond its length', () => {
  it('is told so once, and not read as an address', () => {
    const event = { idempotency_key: 'k', type: 'a.b', feedback_url: 'x'.repeat(1024 * 1024) };
    expect(refusedOf(event).faults).toMatchObject([{ path: 'feedback_url', code: 'many_characters' }]);
  });
});
