// Requests as bytes, built and signed before the clock starts.
import { randomUUID } from 'node:crypto';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';

export const EVENT_BYTES = 600;
export type KeyStyle = 'sequential' | 'uuid';

export interface EventRequests {
  /** Events a request; 1 is a bare event, more is `{"events": [...]}`. */
  batch: number;
  keys: KeyStyle;
  /** One node each; client n posts as camera n. */
  cameras: readonly SigningKey[];
  /** Tells the idempotency keys of two runs apart. */
  run: string;
}

/** `count` requests of one camera, in the order in which they are to be sent. */
export function eventRequests(spec: EventRequests, client: number, count: number): Buffer[] {
  const key = spec.cameras[client % spec.cameras.length] as SigningKey;
  const camera = `cam-${String(client).padStart(3, '0')}`;
  const now = Date.now();
  const requests: Buffer[] = [];
  let next = 0;
  const event = (): string => {
    next += 1;
    const id = spec.keys === 'uuid' ? randomUUID() : `${camera}-${spec.run}-${String(next).padStart(8, '0')}`;
    return eventText(camera, id, now);
  };
  for (let index = 0; index < count; index += 1) {
    const body =
      spec.batch === 1 ? event() : `{"events":[${Array.from({ length: spec.batch }, event).join(',')}]}`;
    requests.push(signedPost(key, now, '/api/core/events', body));
  }
  return requests;
}

/** An event as a camera writes it, of just EVENT_BYTES bytes. @param now epoch milliseconds */
export function eventText(camera: string, idempotencyKey: string, now: number): string {
  const event = {
    idempotency_key: idempotencyKey,
    type: 'vehicle.intrusion',
    kind: 'alert',
    source: 'video',
    severity: 'high',
    occurred_at: new Date(now).toISOString(),
    site_ref: 'site-07',
    camera_ref: camera,
    camera_name: 'North gate, upper mast',
    point_ref: 'gate-north',
    title: 'Vehicle in a closed area',
    local_alert_no: 'A-2026-004711',
    judged: { type: 'vehicle', confidence: 0.93, by: 'edge-model', model_version: '2.4.1' },
    payload: { boxes: [[412, 220, 96, 64]], track: 4711, note: '' },
  };
  event.payload.note = 'x'.repeat(EVENT_BYTES - Buffer.byteLength(JSON.stringify(event)));
  return JSON.stringify(event);
}

export function signedPost(key: SigningKey, now: number, target: string, body: string): Buffer {
  return request('POST', target, signedHeaders(key, now, 'POST', target, body), body);
}

export function request(method: string, target: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...(body === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  });
  return Buffer.from(
    `${method} ${target} ` +
      `HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}
