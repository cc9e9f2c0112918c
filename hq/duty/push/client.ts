// One message to one device: encrypted and signed by web-push, sent by our own client, which judges every
// address when connecting.
import webpush from 'web-push';
import { AddressRefused } from '../../../common/http/outbound/address.ts';
import { type HttpClient, TransportError } from '../../../common/http/outbound/client.ts';
import type { MessageOf } from '../../../common/message.ts';
import { seal, unseal } from '../../../common/secret/sealing.ts';
import type { sendingMessages } from '../duty-messages.ts';
import type { PushKeys } from './keys.ts';

const TRY_MS = 10_000;
const KEPT_ANSWER = 1024;
const SHOWN_ANSWER = 160;
/** How long the service keeps a message for a device that is away, s: a call that is older helps nobody. */
const TTL_S = 3_600;
/** Bytes of a message that every service takes. */
export const MAX_PAYLOAD = 4096 - 103;

/** What a browser gives of its subscription. */
export interface Subscription {
  endpoint: string;
  /** base64url, as the browser has them. */
  keys: { p256dh: string; auth: string };
}

export type PushFault = MessageOf<typeof sendingMessages>;

/** `gone`: the service knows the device no more. `again`: it is worth another try. */
export type Pushed =
  | { taken: true; status: number }
  | { taken: false; status: number | null; fault: PushFault; gone: boolean; again: boolean };

export interface PushMessage {
  text: string;
  /** A later one of the same topic takes the place of one that waits; at most 32 characters of base64url. */
  topic: string;
  urgent: boolean;
  /** Whom the service may write to about what is sent, https: or mailto:. */
  contact: string;
}

export class PushClient {
  readonly counts = { taken: 0, refused: 0, gone: 0 };
  #client: HttpClient;
  #keys: PushKeys;
  #masterKey: Buffer;

  constructor(client: HttpClient, keys: PushKeys, masterKey: Buffer) {
    this.#client = client;
    this.#keys = keys;
    this.#masterKey = masterKey;
  }

  get publicKey(): string {
    return this.#keys.publicKey;
  }

  /** Address and keys of a device, for its row alone. */
  seal(subscription: Subscription, deviceId: string): string {
    return seal(JSON.stringify(subscription), this.#masterKey, `push device ${deviceId}`);
  }

  async send(device: { id: string; sealed: string }, message: PushMessage): Promise<Pushed> {
    const subscription = this.#opened(device);
    if (!subscription) {
      const fault = { code: 'device_gone' as const, params: {} };
      return { taken: false, status: null, fault, gone: true, again: false };
    }
    try {
      const { endpoint, headers, body } = webpush.generateRequestDetails(subscription, message.text, {
        vapidDetails: { subject: message.contact, ...this.#keys },
        TTL: TTL_S,
        contentEncoding: 'aes128gcm',
        urgency: message.urgent ? 'high' : 'normal',
        topic: message.topic,
      });
      const answer = await this.#client.send({
        method: 'POST',
        url: endpoint,
        // The client measures the body itself.
        headers: Object.fromEntries(
          Object.entries(headers as Record<string, unknown>)
            .filter(([name]) => name.toLowerCase() !== 'content-length')
            .map(([name, value]) => [name, String(value)]),
        ),
        body,
        timeoutMs: TRY_MS,
        keepAnswer: KEPT_ANSWER,
      });
      return this.#outcomeOf(answer.status, answer.body);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.counts.refused += 1;
      const fault = { code: 'push_unreached' as const, params: { fault: error.fault } };
      return {
        taken: false,
        status: null,
        fault,
        gone: false,
        again: !(error.cause instanceof AddressRefused),
      };
    }
  }

  /** null: it was registered under another master key, and has to be registered anew. */
  #opened({ id, sealed }: { id: string; sealed: string }): Subscription | null {
    try {
      return JSON.parse(unseal(sealed, this.#masterKey, `push device ${id}`)) as Subscription;
    } catch {
      return null;
    }
  }

  #outcomeOf(status: number, body: Buffer): Pushed {
    if (status >= 200 && status < 300) {
      this.counts.taken += 1;
      return { taken: true, status };
    }
    if (status === 404 || status === 410) {
      this.counts.gone += 1;
      const fault = { code: 'device_dead' as const, params: { status } };
      return { taken: false, status, fault, gone: true, again: false };
    }
    this.counts.refused += 1;
    const said = body
      .toString('utf8')
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim();
    const answer = said === '' ? '' : `: ${said.slice(0, SHOWN_ANSWER)}`;
    const fault = { code: 'push_refused' as const, params: { status, answer } };
    return { taken: false, status, fault, gone: false, again: status === 429 || status >= 500 };
  }
}
