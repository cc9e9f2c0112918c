// One site that the bench speaks for: its position, its requests, and the connection that they go by.
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import { INBOX_PATH, type InboxAnswer } from '../../../common/uplink/inbox.ts';
import { FEATURES, PROTOCOL } from '../../../common/uplink/wire.ts';
import { Connection } from '../connection.ts';

export interface FleetSite extends SigningKey {
  instance: string;
  tenant: string;
}

export interface Reply {
  status: number;
  body: string;
  /** Seconds that a refusal asks to wait; 0: it does not say. */
  retryAfter: number;
}

const EVENTS = '/api/core/uplink/events';
const NO_ANSWER: Reply = { status: 0, body: '', retryAfter: 0 };
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const PLAIN_BELOW = 512;

export class SpokenFor {
  readonly site: FleetSite;
  #port: number;
  #from: string | undefined;
  #connection: Connection | null = null;
  /** Told when the connection ends before the answer has come. */
  #broken: () => void = () => undefined;
  #after = 0;
  #hubEpoch = '';
  /** Events that the hub holds of it. */
  position = 0;

  /** @param from own address that it calls from */
  constructor(port: number, site: FleetSite, from?: string) {
    this.#port = port;
    this.#from = from;
    this.site = site;
  }

  /** Sends the next `count` events, or an empty call; the position moves with the answer. */
  async call(count: number): Promise<Reply> {
    const to = this.position + count;
    const reply = await this.#exchange(EVENTS, this.#body(to));
    if (reply.status === 200) {
      const { cursor } = JSON.parse(reply.body) as { cursor: number };
      if (cursor !== to) throw new Error(`${this.site.instance} sent up to ${to} and was answered ${cursor}`);
      this.position = to;
    }
    return reply;
  }

  /**
   * A call that headquarters holds until something waits for the site.
   * @returns `news`: whether decisions came that the last answer did not tell
   */
  async hold(holdMs: number): Promise<Reply & { news: boolean }> {
    const head = { protocol: PROTOCOL, features: FEATURES, version: '0.1.0', instance: this.site.instance };
    const rest = { epoch: 'fleet', hold_ms: holdMs, after: this.#after, hub_epoch: this.#hubEpoch };
    const reply = await this.#exchange(INBOX_PATH, JSON.stringify({ ...head, ...rest }));
    if (reply.status !== 200) return { ...reply, news: false };
    const { items, through, epoch } = JSON.parse(reply.body) as InboxAnswer;
    this.#after = through;
    this.#hubEpoch = epoch;
    return { ...reply, news: items.length > 0 };
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  async #exchange(target: string, text: string): Promise<Reply> {
    const plain = Buffer.from(text);
    const compressed = plain.length >= PLAIN_BELOW;
    const body = compressed ? zlib.zstdCompressSync(plain, ZSTD) : plain;
    const headers: Record<string, string> = {
      host: '127.0.0.1',
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...(compressed ? { 'content-encoding': 'zstd' } : {}),
      ...signedHeaders(this.site, Date.now(), 'POST', target, body),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = Buffer.concat([Buffer.from(`POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
    const connection = (this.#connection ??= await this.#open());
    return new Promise((resolve) => {
      this.#broken = () => resolve(NO_ANSWER);
      connection.send(request, ({ status, pieces }) => {
        const all = Buffer.concat(pieces).toString();
        const end = all.indexOf('\r\n\r\n');
        const retryAfter = Number(/^retry-after: (\d+)/im.exec(all.slice(0, end))?.[1] ?? 0);
        resolve({ status, body: all.slice(end + 4), retryAfter });
      });
    });
  }

  async #open(): Promise<Connection> {
    for (let tries = 1; ; tries += 1) {
      try {
        const connection = await Connection.open(this.#port, true, this.#from);
        connection.onBroken(() => {
          this.close();
          this.#broken();
        });
        return connection;
      } catch (error) {
        if (tries === 5) throw error;
        await sleep(200 * tries);
      }
    }
  }

  #body(to: number): string {
    const { position: from, site } = this;
    const items: string[] = [];
    for (let id = from + 1; id <= to; id += 1) items.push(eventText(site, id));
    const head = { protocol: PROTOCOL, features: FEATURES, version: '0.1.0', instance: site.instance };
    const rest = { epoch: 'fleet', head: to, oldest: 0, cursor: { from, to } };
    return `${JSON.stringify({ ...head, ...rest }).slice(0, -1)},"items":[${items.join(',')}]}`;
  }
}

const NOTE = 'x'.repeat(300);

/** An item of some 700 bytes. */
function eventText({ instance, tenant }: FleetSite, id: number): string {
  const now = Date.now();
  return JSON.stringify({
    origin_id: id,
    received_at: now,
    tenant_code: tenant,
    idempotency_key: `${instance}-${String(id).padStart(9, '0')}`,
    ...{ type: 'vehicle.intrusion', kind: 'alert', source: 'video', severity: 'high' },
    occurred_at: now,
    is_test: false,
    doc: {
      ...{ siteRef: instance, cameraRef: 'cam-001', cameraName: 'North gate', pointRef: 'gate-north' },
      title: 'Vehicle in a closed area',
      judged: { type: 'vehicle', confidence: 0.93, by: 'edge-model', modelVersion: '2.4.1' },
      payload: { boxes: [[412, 220, 96, 64]], track: id, note: NOTE },
    },
  });
}
