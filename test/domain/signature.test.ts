import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  signatureMatches,
  signatureOf,
  signedHeaders,
  type SignedParts,
} from '../../common/http/signing/signature.ts';
import { SIGNATURE_VECTORS } from '../../common/http/signing/signature-vectors.ts';

describe('signature', () => {
  test.each(SIGNATURE_VECTORS)('of $name', ({ secret, parts, signature }) => {
    expect(signatureOf(secret, parts)).toBe(signature);
    expect(signatureMatches([secret], parts, signature)).toBe(true);
  });

  test('is the same over text and over its bytes', () => {
    const parts = { timestamp: 1, method: 'POST', target: '/', body: '影子' };
    expect(signatureOf('s', { ...parts, body: Buffer.from('影子') })).toBe(signatureOf('s', parts));
  });

  const parts: SignedParts = {
    timestamp: 1767225600,
    method: 'POST',
    target: '/api/core/events?a=1',
    body: '{"a":1}',
  };
  const good = signatureOf('secret', parts);

  test.each<[string, Partial<SignedParts>]>([
    ['the time', { timestamp: parts.timestamp + 1 }],
    ['the method', { method: 'PUT' }],
    ['the case of the method', { method: 'post' }],
    ['the path', { target: '/api/core/event?a=1' }],
    ['the query', { target: '/api/core/events?a=2' }],
    ['the order of the query', { target: '/api/core/events?a=1&' }],
    ['the body', { body: '{"a":2}' }],
    ['a blank in the body', { body: '{"a": 1}' }],
    ['the absence of a body', { body: '' }],
  ])('does not hold when %s is another', (_, over) => {
    expect(signatureMatches(['secret'], { ...parts, ...over }, good)).toBe(false);
  });

  test('does not hold for any other text, of the same length or not', () => {
    const flipped = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
    for (const text of [
      flipped,
      '',
      'v1=',
      good.slice(3),
      `${good} `,
      good.toUpperCase(),
      good.replace('v1', 'v2'),
      `${good},${good}`,
      'é'.repeat(good.length),
    ]) {
      expect(signatureMatches(['secret'], parts, text)).toBe(false);
    }
  });

  test('holds with either of two live secrets, and with no other', () => {
    const old = signatureOf('old', parts);
    expect(signatureMatches(['new', 'old'], parts, old)).toBe(true);
    expect(signatureMatches(['old', 'new'], parts, old)).toBe(true);
    expect(signatureMatches(['new'], parts, old)).toBe(false);
    expect(signatureMatches([], parts, old)).toBe(false);
  });

  test('lines cannot be moved from one part into the next', () => {
    const field = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(field, field, (a, b) => {
        const left = { timestamp: 1, method: 'POST', target: a, body: b };
        const right = { timestamp: 1, method: 'POST', target: `${a}\n${b}`, body: '' };
        expect(signatureOf('s', left)).not.toBe(signatureOf('s', right));
      }),
    );
  });

  test('headers carry whole seconds and verify', () => {
    const headers = signedHeaders(
      { keyId: 'cam-1', secret: 'secret' },
      1767225600_999,
      'POST',
      '/x?y=1',
      'body',
    );
    expect(headers).toMatchObject({ 'x-core-key': 'cam-1', 'x-core-timestamp': '1767225600' });
    const signed = { timestamp: 1767225600, method: 'POST', target: '/x?y=1', body: 'body' };
    expect(signatureMatches(['secret'], signed, headers['x-core-signature'] ?? '')).toBe(true);
  });
});
