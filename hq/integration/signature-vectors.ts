// Signatures of pushes, made with `openssl dgst -sha256 -hmac`; whoever verifies in another language can
// check against them.

export interface WebhookVector {
  name: string;
  secret: string;
  id: string;
  /** Unix seconds. */
  timestamp: number;
  body: string;
  /** `X-Service-Signature`. */
  service: string;
  /** `webhook-signature`. */
  standard: string;
}

export const WEBHOOK_VECTORS: readonly WebhookVector[] = [
  {
    name: 'a secret of ones own',
    secret: 'a-secret-of-ours',
    id: 'evt-1',
    timestamp: 1767225600,
    body: '{"event":"ncr.created","project_id":7,"ncr_id":12,"code":"NCR-12","title":"裂缝","level":3}',
    service: 'sha256=4c6acddae1cb8573b1fb1dc82644ca84ccc234683e11c1a280055a58e70587aa',
    standard: 'v1,BBg6ZlUjpkZ6/zwi5ULsbpWS10XWUBhRaGzMbJxm360=',
  },
  {
    name: 'a secret of Standard Webhooks',
    secret: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcY',
    id: 'evt-2',
    timestamp: 1767225600,
    body: '{"event":"webhook.test","message":"hello","at":"2026-01-01T08:00:00.000+08:00"}',
    service: 'sha256=0ab2bbfa8ad744755f3bc99df812f31013cbb67e5aa691c112ddea8e28a1a5c9',
    standard: 'v1,/W5xy9dLgWbE2NRrEt6JIlVgC+j44c5Yz9kCcCPb3XQ=',
  },
];
