// A camera at the site of the console's tests: it posts events with pictures, and hears what becomes of them.
import { hash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { type FeedbackMessage, listenForFeedback } from '../../packaging/demo/feedback.ts';
import { registerNode } from '../support/deployment.ts';
import type { Reachable, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

/** Where it stands. */
export interface Field {
  hub: Reachable;
  site: Reachable;
  tenant: string;
  scene: Scene;
}

export interface SeenEvent {
  id: number;
  idempotencyKey: string;
  instance: string;
  occurredAt: string;
  verdict: string | null;
  correctedTo: string | null;
  verdictBy: string | null;
}

/** Colour of the picture, so that one is told from another. */
export const drawn = (red: number, width = 640): Promise<Buffer> =>
  sharp({ create: { width, height: 360, channels: 3, background: { r: red, g: 110, b: 160 } } })
    .jpeg()
    .toBuffer();

export class FieldCamera {
  /** What it was told, in order. */
  readonly heard: FeedbackMessage[];
  #rig: Field;
  #key: SigningKey;
  #feedbackUrl: string;

  private constructor(rig: Field, key: SigningKey, ear: { url: string; heard: FeedbackMessage[] }) {
    this.#rig = rig;
    this.#key = key;
    this.#feedbackUrl = ear.url;
    this.heard = ear.heard;
  }

  static async open(rig: Field): Promise<FieldCamera> {
    const key = await registerNode(rig.site, `cam-${randomBytes(3).toString('hex')}`, rig.tenant);
    const heard: FeedbackMessage[] = [];
    const ear = await listenForFeedback(
      { host: '127.0.0.1', port: 0, key, now: Date.now },
      (message) => void heard.push(message),
    );
    rig.scene.onClose(() => ear.close());
    return new FieldCamera(rig, key, { url: ear.url, heard });
  }

  /**
   * Posts an event at the site, with its picture. @returns it as headquarters has it, once it is there
   * @param picture null: announced, but not sent
   */
  async post(more: object = {}, picture: Buffer | null | undefined = undefined): Promise<SeenEvent> {
    const { url } = this.#rig.site;
    const key = randomBytes(8).toString('hex');
    const bytes = picture ?? (picture === null ? await drawn(0) : undefined);
    const evidence =
      bytes === undefined
        ? []
        : [
            {
              name: 'front.jpg',
              content_type: 'image/jpeg',
              size: bytes.length,
              sha256: hash('sha256', bytes),
            },
          ];
    const body = JSON.stringify({
      idempotency_key: key,
      type: 'vehicle.intrusion',
      severity: 'high',
      camera_ref: 'gate-1',
      occurred_at: new Date().toISOString(),
      feedback_url: this.#feedbackUrl,
      ...(evidence.length === 0 ? {} : { evidence }),
      ...more,
    });
    const call = { url, key: this.#key, method: 'POST', path: '/api/core/events', body };
    const [item] = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(call), 201)).items;
    if (picture) await this.#send(item?.id ?? 0, picture);
    return until(`headquarters has ${key}`, () => this.find(key));
  }

  async #send(id: number, bytes: Buffer): Promise<void> {
    const path = `/api/core/events/${id}/evidence/front.jpg`;
    const headers = signedHeaders(this.#key, Date.now(), 'PUT', path, bytes);
    expectStatus(await request({ url: this.#rig.site.url, method: 'PUT', path, body: bytes, headers }), 201);
  }

  async find(key: string): Promise<SeenEvent | undefined> {
    const answer = await this.#rig.hub.api('GET', '/api/core/events/list?limit=200&include_test=true');
    return jsonOf<{ items: SeenEvent[] }>(expectStatus(answer, 200)).items.find(
      ({ idempotencyKey }) => idempotencyKey === key,
    );
  }
}

/** An event as headquarters has it now. */
export async function eventAt(rig: Pick<Field, 'hub'>, id: number): Promise<SeenEvent> {
  return jsonOf<SeenEvent>(expectStatus(await rig.hub.api('GET', `/api/core/events/${id}`), 200));
}
