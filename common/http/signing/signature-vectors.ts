// Signatures made with `openssl dgst -sha256 -hmac`; whoever signs in another language can check against
// them.
import type { SignedParts } from './signature.ts';

export interface SignatureVector {
  name: string;
  secret: string;
  parts: SignedParts & { body: Uint8Array | string };
  signature: string;
}

export const SIGNATURE_VECTORS: readonly SignatureVector[] = [
  {
    name: 'a POST with a JSON body',
    secret: 'fln_test-secret',
    parts: {
      timestamp: 1767225600,
      method: 'POST',
      target: '/api/core/events',
      body: '{"idempotency_key":"k1"}',
    },
    signature: 'v1=9be5b627c88a54a199dbe97f863c37156470029c25c36a99b56a024671784add',
  },
  {
    name: 'a GET with a query and no body',
    secret: 'fln_test-secret',
    parts: {
      timestamp: 1767225600,
      method: 'GET',
      target: '/api/core/events/since?consumer=c&limit=10',
      body: '',
    },
    signature: 'v1=c8d49ea39437c9262605a64b3f082d404a1432c51503746c024d0719c7626f9c',
  },
  {
    name: 'a PUT of bytes, signed with a secret of any script',
    secret: '密钥',
    parts: {
      timestamp: 0,
      method: 'PUT',
      target: '/api/core/events/7/evidence/a.jpg',
      body: Uint8Array.of(0, 255, 128, 10),
    },
    signature: 'v1=2f9322c1b297616f6a84cf54b26c6c3ab56c4d216421c0ec724e4a674aac8969',
  },
];
