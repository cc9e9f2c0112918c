// The published vectors, the receiver of the page, and a verifier that is not ours.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  serviceSignature,
  standardKey,
  standardSignature,
  webhookSignatures,
} from '../../../hq/integration/signature.ts';
import { WEBHOOK_VECTORS } from '../../../hq/integration/signature-vectors.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../hq/integration/README.md'), 'utf8');
const example = /```js receiver\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
const { verify } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
  verify: (secret: string, rawBody: Buffer, header: string | undefined) => boolean;
};

describe.each(WEBHOOK_VECTORS)(
  'the vector with $name',
  ({ secret, id, timestamp, body, service, standard }) => {
    test('is what is sent', () => {
      expect(serviceSignature(secret, body)).toBe(service);
      expect(standardSignature(secret, { id, timestamp, body })).toBe(standard);
    });

    test('stands in the page', () => {
      expect(PAGE).toContain(
        `| \`${secret}\` | \`${id}\` | ${timestamp} | \`${body}\` | \`${service}\` | \`${standard}\` |`,
      );
    });

    test('is verified by the receiver of the page, and nothing else is', () => {
      expect(verify(secret, Buffer.from(body), service)).toBe(true);
      for (const wrong of [undefined, '', 'sha256=', service.toUpperCase(), `${service}0`, standard])
        expect(verify(secret, Buffer.from(body), wrong)).toBe(false);
      expect(verify(secret, Buffer.from(`${body} `), service)).toBe(false);
      expect(verify(`${secret}x`, Buffer.from(body), service)).toBe(false);
    });

    test('has the key that a public verifier signs with', () => {
      const key = `whsec_${standardKey(secret).toString('base64')}`;
      expect(new Webhook(key).sign(id, new Date(timestamp * 1000), body)).toBe(standard);
    });
  },
);

test('two secrets give a list, the newest first', () => {
  const headers = webhookSignatures(['new', 'old'], { id: 'a', timestamp: 1, body: 'b' });
  expect(headers['webhook-signature']).toBe(
    [
      standardSignature('new', { id: 'a', timestamp: 1, body: 'b' }),
      standardSignature('old', { id: 'a', timestamp: 1, body: 'b' }),
    ].join(' '),
  );
});
