// A site joined to a hub in the test's own process, with a camera whose events have pictures.
import { hash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DiskProbe } from '../../../common/disk-space.ts';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import {
  ADMIN_KEY,
  type HubHere,
  SettableClock,
  type SiteHere,
  startHubHere,
  startSiteHere,
} from '../../support/in-process.ts';
import type { Scene } from '../../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../../support/request.ts';

export const digest = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

/** What GET of a file that is not here answers. */
export interface FarView {
  state: string;
  instance: string;
  bytes: number;
  size: number;
  reason: string | null;
  askedAt: string | null;
  deletedAt: string | null;
}

export interface JobView {
  state: string;
  consumer: string;
  lastError: string | null;
  attempts: number;
}

export class Joined {
  readonly hub: HubHere;
  readonly clock: SettableClock;
  site: SiteHere;
  camera: SigningKey;
  #scene: Scene;
  #env: Record<string, string>;

  private constructor(parts: {
    hub: HubHere;
    site: SiteHere;
    camera: SigningKey;
    scene: Scene;
    env: Record<string, string>;
    clock: SettableClock;
  }) {
    this.hub = parts.hub;
    this.site = parts.site;
    this.camera = parts.camera;
    this.#scene = parts.scene;
    this.#env = parts.env;
    this.clock = parts.clock;
  }

  static async open(
    scene: Scene,
    {
      site: more = {},
      hub: hubMore = {},
      through = (hub) => Promise.resolve(hub),
      probe,
    }: {
      site?: Record<string, string>;
      hub?: Record<string, string>;
      /** Of the disk of the site. */
      probe?: DiskProbe;
      /** Opens what lies between the two. @returns the address that the site is to call */
      through?: (hub: string, key: SigningKey) => Promise<string>;
    } = {},
  ): Promise<Joined> {
    const clock = new SettableClock();
    const hub = await startHubHere(scene, clock, { CORE_PUSH_NETWORKS: '127.0.0.0/8', ...hubMore });
    const registered = jsonOf<{ keyId: string; secret: string }>(
      expectStatus(await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] }), 201),
    );
    const keyFile = path.join(scene.dir, 'uplink-key');
    writeFileSync(keyFile, `${registered.keyId}:${registered.secret}`, { mode: 0o600 });
    const env = {
      CORE_UPLINK_URL: await through(hub.hub.url, registered),
      CORE_UPLINK_KEY_REF: `file:${keyFile}`,
      CORE_UPLINK_INTERVAL_MS: '200',
      CORE_PUSH_NETWORKS: '127.0.0.0/8',
      ...more,
    };
    const site = await startSiteHere(scene, { clock, env, ...(probe ? { probe } : {}) });
    const camera = await site.node('cam');
    return new Joined({ hub, site, camera, scene, env, clock });
  }

  async restartSite(more: Record<string, string> = {}): Promise<void> {
    await this.site.site.stop();
    this.site = await startSiteHere(this.#scene, { clock: this.clock, env: { ...this.#env, ...more } });
  }

  /** Posts an event with these pictures at the site. @returns its id there */
  async event(pictures: Record<string, Buffer>, more: object = {}): Promise<number> {
    const body = JSON.stringify({
      idempotency_key: randomBytes(8).toString('hex'),
      type: 'vehicle.intrusion',
      severity: 'high',
      evidence: Object.entries(pictures).map(([name, bytes]) => ({
        name,
        content_type: name.endsWith('.png') ? 'image/png' : 'image/jpeg',
        size: bytes.length,
        sha256: digest(bytes),
      })),
      ...more,
    });
    const { url } = this.site.site;
    const answer = expectStatus(
      await signedCall({ url, key: this.camera, method: 'POST', path: '/api/core/events', body }),
      201,
    );
    return jsonOf<{ items: { id: number }[] }>(answer).items[0]?.id ?? 0;
  }

  async upload(id: number, name: string, bytes: Buffer): Promise<void> {
    const target = `/api/core/events/${id}/evidence/${name}`;
    const headers = signedHeaders(this.camera, this.clock.now(), 'PUT', target, bytes);
    const { url } = this.site.site;
    expectStatus(await request({ url, method: 'PUT', path: target, body: bytes, headers }), 201);
  }

  /** The id at the hub of the newest event, once it has so many. */
  async newestAtHub(count = 1): Promise<number> {
    let items: { id: number }[] = [];
    await until(`the hub has ${count} events`, async () => {
      ({ items } = jsonOf<{ items: { id: number }[] }>(
        await this.hub.call('GET', '/api/core/events/list?limit=100'),
      ));
      return items.length === count;
    });
    return items[0]?.id ?? 0;
  }

  get(id: number, name: string): Promise<Answer> {
    return this.hub.call('GET', `/api/core/events/${id}/evidence/${name}`);
  }

  /** How a file stands that is not at the hub. */
  async far(id: number, name: string): Promise<FarView> {
    return jsonOf<FarView>(expectStatus(await this.get(id, name), 202));
  }

  async listed(id: number): Promise<{ name: string; state: string; site: FarView | null }[]> {
    return jsonOf<{ items: { name: string; state: string; site: FarView | null }[] }>(
      expectStatus(await this.hub.call('GET', `/api/core/events/${id}/evidence`), 200),
    ).items;
  }

  async bytes(id: number, name: string, query = ''): Promise<Buffer> {
    const answer = await fetch(`${this.hub.hub.url}/api/core/events/${id}/evidence/${name}${query}`, {
      headers: { 'x-admin-key': ADMIN_KEY },
    });
    return Buffer.from(await answer.arrayBuffer());
  }

  async jobs(): Promise<JobView[]> {
    return jsonOf<{ items: JobView[] }>(await this.hub.call('GET', '/api/core/evidence/jobs')).items;
  }
}
