// A push service of the kind that browsers name: it checks who sends (VAPID, RFC 8292) and opens what is sent
// as the browser would (RFC 8291 over RFC 8188).
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { pem } from './mail-server.ts';
import { until } from './request.ts';

export interface PushReceived {
  /** The device, as the path names it. */
  device: string;
  payload: Record<string, unknown>;
  bytes: number;
  headers: Record<string, string | string[] | undefined>;
  /** Claims of the token. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that the sender has signed with, base64url. */
  key: string;
}

interface Device {
  ecdh: ECDH;
  auth: Buffer;
}

export class PushService {
  readonly received: PushReceived[] = [];
  /** What is answered instead of 201, by device. */
  readonly answers = new Map<string, number>();
  readonly faults: string[] = [];
  #devices = new Map<string, Device>();
  #server = https.createServer({ key: pem('receiver-key'), cert: pem('receiver') }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const device = (request.url ?? '').slice(1);
      try {
        this.received.push(this.#open(device, request.headers, Buffer.concat(parts)));
      } catch (error) {
        this.faults.push(String(error));
      }
      const status = this.answers.get(device) ?? 201;
      response.writeHead(status).end(status === 201 ? '' : 'no');
    });
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a browser would give of a new subscription. */
  subscribe(device: string): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const auth = randomBytes(16);
    this.#devices.set(device, { ecdh, auth });
    return {
      endpoint: `${this.url}/${device}`,
      keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    };
  }

  async receives(count: number): Promise<PushReceived[]> {
    await until(`${count} messages came`, () => Promise.resolve(this.received.length >= count));
    return this.received;
  }

  #open(device: string, headers: https.ServerOptions & PushReceived['headers'], body: Buffer): PushReceived {
    const { claims, key } = this.#sender(String(headers.authorization));
    const found = this.#devices.get(device);
    if (!found) throw new Error(`no device ${device}`);
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
    const payload = JSON.parse(decrypted(found, body)) as Record<string, unknown>;
    return { device, payload, bytes: body.length, headers, claims, key };
  }

  /** @throws Error unless the token is signed with the key that it comes with, and is for this service */
  #sender(header: string): Pick<PushReceived, 'claims' | 'key'> {
    const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
    const [head = '', claimed = '', sign = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      ...{ kty: 'EC', crv: 'P-256' },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
    };
    const signed = verify(
      'sha256',
      Buffer.from(`${head}.${claimed}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(sign, 'base64url'),
    );
    if (!signed) throw new Error('the token is not signed with its key');
    const claims = JSON.parse(Buffer.from(claimed, 'base64url').toString()) as PushReceived['claims'];
    if (claims.aud !== this.url) throw new Error(`the token is for ${claims.aud}`);
    return { claims, key };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const derived = (key: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

function decrypted({ ecdh, auth }: Device, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derived(ecdh.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  // The last record ends with a 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
