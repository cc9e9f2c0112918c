// A hub and a site that is joined to it, with everyone who may call them, for the test of the API
// description.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../../common/clock.ts';
import type { Stores } from '../../../common/core/stores.ts';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import { masterKeyOf } from '../../../hq/store/agreement.ts';
import { ApiDescription, type Operation } from '../../support/api-description.ts';
import { Browser } from '../../support/browser.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { ADMIN_KEY, type Call, startHubHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { requestAsIs } from '../../support/raw.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../../support/request.ts';

export const PASSWORD = 'correct horse battery';
export const TENANT = 'acme';
/** Address of the console of the hub. */
export const PUBLIC = 'https://hq.example.test';
/** An address whose wrong admin keys are held up. */
export const HELD_UP = '10.2.0.1';
const BEHIND_A_PROXY = { CORE_TRUSTED_PROXIES: '127.0.0.1/32' };
/** A tenant that the hub does not take from the site. */
const FOREIGN = 'elsewhere';

export type Caller = 'admin' | 'node' | 'site' | 'consumer' | 'session' | 'bare' | 'nobody';

/** One call; what it leaves out is that of an ordinary, right one. */
export interface Ask {
  target?: string;
  body?: unknown;
  /** A body that is not JSON, with its content type. */
  raw?: { type: string; bytes: Buffer };
  as?: Caller;
  key?: SigningKey;
  browser?: Browser;
  headers?: Record<string, string>;
  /** Milliseconds by which the signature's time is off. */
  skew?: number;
  /** Another program than the one that is described. */
  url?: string;
}

/** One of the two programs, and what tests need to call it. */
export class World {
  readonly side: 'site' | 'hub';
  readonly url: string;
  readonly call: Call;
  readonly store: Stores;
  description!: ApiDescription;
  document!: Record<string, unknown>;
  keys!: Record<'node' | 'site' | 'consumer' | 'foreign', SigningKey>;
  session!: Browser;
  /** At the hub: a user with no permission. A site has no users. */
  bare: Browser | null = null;
  /** A site without an uplink. */
  lonely: string | null = null;
  /** At the hub: the provider of identities. */
  identities: IdentityProvider | null = null;
  /** At the hub: what it seals and signs with. */
  masterKey: Buffer = Buffer.alloc(0);
  #count = 0;
  #wrongKeys = 0;

  constructor(side: 'site' | 'hub', url: string, call: Call, store: Stores) {
    this.side = side;
    this.url = url;
    this.call = call;
    this.store = store;
  }

  /** An address whose next wrong admin key is not held up. */
  freshAddress = (): string => `10.1.0.${1 + Math.floor((this.#wrongKeys += 1) / 10)}`;

  /** A name that was not used before. */
  fresh = (what: string): string => `${what}-${this.side}-${(this.#count += 1)}`;

  credentials(name = 'chief'): object {
    return this.side === 'site' ? { admin_key: ADMIN_KEY } : { name, password: PASSWORD };
  }

  async login(name = 'chief', from = '127.0.0.1'): Promise<Browser> {
    const browser = new Browser(this.url, from);
    expectStatus(
      await browser.call('POST', '/api/core/session/login', { body: this.credentials(name) }),
      200,
    );
    return browser;
  }

  async prepare(): Promise<void> {
    // As if one wrong key had come after another, each when the pause for the last was over; the next one is
    // at hand.
    let at = Date.now() - 3_000_000;
    for (let failures = 0; failures < 12; failures += 1) {
      await this.store.loginAttempts.begin(
        [{ scope: `admin_key:${HELD_UP}`, free: 0, longestMs: 3_600_000 }],
        at,
      );
      at += 1_000 * 2 ** failures;
    }
    const issue = async (target: string, body: object): Promise<SigningKey> =>
      jsonOf<SigningKey>(expectStatus(await this.call('POST', target, body), 201));
    expectStatus(
      await this.call('POST', '/api/core/events/subscribe', { consumer: 'agent', start_cursor: 0 }),
      201,
    );
    this.keys = {
      node: await issue('/api/core/nodes', { tenant_code: TENANT, name: 'gate' }),
      foreign: await issue('/api/core/nodes', { tenant_code: FOREIGN, name: 'other-gate' }),
      consumer: await issue('/api/core/consumers/agent/keys', {}),
      site:
        this.side === 'hub'
          ? await issue('/api/core/sites', { instance: 'site-2', tenants: [TENANT] })
          : { keyId: 'no-site', secret: 'x' },
    };
    if (this.side === 'hub') {
      expectStatus(
        await this.call('POST', '/api/core/users', { name: 'chief', role: 'operator', password: PASSWORD }),
        201,
      );
      await this.user({ name: 'bare', role: 'operator', permissions: [] });
      this.bare = await this.login('bare');
    }
    this.session = await this.login();
    await this.event();
    this.document = jsonOf<Record<string, unknown>>(
      expectStatus(await this.call('GET', '/openapi.json'), 200),
    );
    this.description = new ApiDescription(this.document);
  }

  eventBody = (more: object = {}): object => ({
    idempotency_key: this.fresh('key'),
    type: 'vehicle.intrusion',
    severity: 'high',
    occurred_at: '2026-03-01T08:00:00+08:00',
    site_ref: 'tunnel',
    point_ref: 'p1',
    camera_ref: 'c1',
    camera_name: 'gate',
    title: 'a truck',
    description: 'at the gate',
    local_alert_no: 'A-1',
    judged: { type: 'truck', confidence: 0.9, by: 'model', model_version: '1' },
    payload: { plate: 'x' },
    ...more,
  });

  /** Posts an event. @returns its id */
  async event(more: object = {}, key = this.keys.node): Promise<number> {
    const answer = await this.send(
      { method: 'POST', path: '/api/core/events' },
      { key, body: this.eventBody(more) },
    );
    return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items[0]?.id ?? 0;
  }

  async judged(): Promise<number> {
    const id = await this.event();
    expectStatus(
      await this.call('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    return id;
  }

  async made(
    target: string,
    body: object,
    status = 201,
  ): Promise<{ id: number; keyId: string; path?: string }> {
    return jsonOf<{ id: number; keyId: string; path?: string }>(
      expectStatus(await this.call('POST', target, body), status),
    );
  }

  async task(more: object = {}): Promise<number> {
    return (
      await this.made('/api/core/objects/tasks', {
        tenant_code: TENANT,
        type: 'disposal',
        title: 'look',
        severity: 'high',
        ...more,
      })
    ).id;
  }

  async incident(members = 1): Promise<{ id: number; events: number[] }> {
    const events: number[] = [];
    for (let one = 0; one < members; one += 1) events.push(await this.event());
    return { id: (await this.made('/api/core/incidents/upsert', this.group(events))).id, events };
  }

  /** Gives a secret of the tenant. @returns its name */
  async secret(more: object): Promise<string> {
    const name = this.fresh('secret');
    expectStatus(
      await this.call('PUT', `/api/core/secrets/${name}`, { tenant_code: TENANT, secret: 'x', ...more }),
      201,
    );
    return name;
  }

  group = (events: number[], more: object = {}): object => ({
    tenant_code: TENANT,
    source_key: this.fresh('source'),
    layer: 'L1',
    site_ref: 'tunnel',
    event_ids: events,
    ...more,
  });

  /** Merges one group into another. */
  async merged(): Promise<{ into: number; gone: number }> {
    const [into, gone] = [await this.incident(), await this.incident()];
    expectStatus(
      await this.call('POST', `/api/core/incidents/${into.id}/merge`, { by: 'li', incident_ids: [gone.id] }),
      200,
    );
    return { into: into.id, gone: gone.id };
  }

  async user(more: object = {}): Promise<string> {
    const name = this.fresh('user');
    expectStatus(
      await this.call('POST', '/api/core/users', { name, role: 'operator', password: PASSWORD, ...more }),
      201,
    );
    return name;
  }

  /** An item that the hub refused. @returns its position */
  async parked(): Promise<number> {
    const id = await this.event({}, this.keys.foreign);
    await until('the item is parked', async () => {
      const { items } = jsonOf<{ items: { originId: number }[] }>(
        await this.call('GET', '/api/core/uplink/parked'),
      );
      return items.some((item) => item.originId === id);
    });
    return id;
  }

  /** Calls as whoever the route is for, unless the ask says otherwise. */
  send(
    operation: Pick<Operation, 'method' | 'path'> & { security?: Operation['security'] },
    ask: Ask,
  ): Promise<Answer> {
    const target = ask.target ?? operation.path;
    const { method } = operation;
    const browser =
      ask.browser ?? (ask.as === 'session' ? this.session : ask.as === 'bare' ? this.bare : null);
    const spoilt = ask.headers === undefined ? ask.raw !== undefined : Object.keys(ask.headers).length > 0;
    if (browser && spoilt) {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const { browser: _browser, ...rest } = ask;
      return this.send(operation, {
        ...rest,
        as: 'nobody',
        headers: { cookie, 'x-requested-with': 'fieldline', ...ask.headers },
      });
    }
    if (browser)
      return browser.call(method, target, {
        ...(ask.body === undefined ? {} : { body: ask.body }),
        ...(ask.headers ? { headers: ask.headers } : {}),
      });
    const body = ask.raw?.bytes ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const as = ask.as ?? 'admin';
    const key = ask.key ?? (as === 'node' || as === 'site' || as === 'consumer' ? this.keys[as] : undefined);
    const exchange = ask.headers?.['content-length'] === undefined ? request : requestAsIs;
    return exchange({
      url: ask.url ?? this.url,
      method,
      path: target,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(key
          ? signedHeaders(key, Date.now() + (ask.skew ?? 0), method, target, body ?? '')
          : as === 'admin'
            ? { 'x-admin-key': ADMIN_KEY }
            : {}),
        ...(body === undefined ? {} : { 'content-type': ask.raw?.type ?? 'application/json' }),
        ...ask.headers,
      },
    });
  }
}

export interface Worlds {
  site: World;
  hub: World;
  close(): Promise<void>;
}

export async function openWorlds(): Promise<Worlds> {
  const [scene, other] = [new Scene(), new Scene()];
  const identities = await startIdentityProvider(PUBLIC);
  const hub = await startHubHere(scene, systemClock, { ...BEHIND_A_PROXY, ...identities.env });
  const theHub = new World('hub', hub.hub.url, hub.call, hub.hub.store);
  const secret = readFileSync(path.join(scene.dir, 'hq', 'secrets', 'master-key'), 'utf8').trim();
  theHub.masterKey = masterKeyOf(secret);
  theHub.identities = identities;
  const key = jsonOf<SigningKey>(
    expectStatus(await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: [TENANT] }), 201),
  );
  const keyFile = path.join(scene.dir, 'uplink-key');
  writeFileSync(keyFile, `${key.keyId}:${key.secret}`);
  const site = await startSiteHere(scene, {
    env: {
      ...BEHIND_A_PROXY,
      CORE_UPLINK_URL: hub.hub.url,
      CORE_UPLINK_KEY_REF: `file:${keyFile}`,
      CORE_UPLINK_INTERVAL_MS: '200',
    },
  });
  const theSite = new World('site', site.site.url, site.call, site.site.store);
  theSite.lonely = (await startSiteHere(other)).site.url;
  await theHub.prepare();
  await theSite.prepare();
  return {
    site: theSite,
    hub: theHub,
    close: async () => {
      await other.close();
      await scene.close();
      await identities.close();
    },
  };
}
