// Sites that speak the wire, and what a rollout makes of them.
import { randomUUID } from 'node:crypto';
import { runAll } from '../../../common/loop.ts';
import { manifestOf } from '../../../common/uplink/upgrade/manifest.ts';
import { packagePath, type UpgradeItem, type UpgradeStep } from '../../../common/uplink/upgrade/record.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import type { RolloutSiteView, RolloutView } from '../../../hq/fleet/rollout/schema.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import type { SessionRig } from '../session-rig.ts';

export interface SiteOptions {
  version?: string;
  features?: string[];
}

/** A site as the hub hears it. */
export class WireSite {
  item: UpgradeItem | null = null;
  readonly instance: string;
  readonly #rig: SessionRig;
  readonly #key: { keyId: string; secret: string };
  #epoch: string = randomUUID();
  #after = 0;
  #changes = 0;
  version: string;
  features: string[];

  constructor(
    rig: SessionRig,
    instance: string,
    key: { keyId: string; secret: string },
    { version = '0.1.0', features = ['upgrade'] }: SiteOptions = {},
  ) {
    this.#rig = rig;
    this.instance = instance;
    this.#key = key;
    this.version = version;
    this.features = features;
  }

  static async register(
    rig: SessionRig,
    instance: string,
    {
      tenants = ['acme'],
      groups = [],
      ...more
    }: { tenants?: string[]; groups?: string[] } & SiteOptions = {},
  ): Promise<WireSite> {
    const made = await rig.admin('POST', '/api/core/sites', { instance, tenants, groups });
    const site = new WireSite(rig, instance, jsonOf(expectStatus(made, 201)), more);
    await site.call();
    return site;
  }

  /** The same machine under another name, with what it knows. */
  renamed(instance: string, key: { keyId: string; secret: string }): WireSite {
    const site = new WireSite(this.#rig, instance, key, { version: this.version, features: this.features });
    site.item = this.item;
    return site;
  }

  /** Its poll. @returns what is wanted of it, which it keeps */
  async call(): Promise<UpgradeItem | null> {
    const { items, through } = await this.#post<{
      items: { kind: string; body: UpgradeItem }[];
      through: number;
    }>('/api/core/uplink/inbox', {
      ...{ features: this.features, hold_ms: 0, after: this.#after, hub_epoch: '' },
    });
    this.#after = through;
    for (const { kind, body } of items) if (kind === 'upgrade') this.item = body;
    return this.item;
  }

  /** What it says of what it was told. */
  async tell(step: UpgradeStep, more: object = {}): Promise<void> {
    const version = this.item?.release ? (manifestOf(this.item.release)?.version ?? null) : null;
    if (step === 'installed' && version !== null) this.version = version;
    const from = this.#changes;
    this.#changes += 1;
    const state = {
      ...{ change_no: this.#changes, kind: 'upgrade', no: this.item?.no ?? 0, step, version },
      ...{ runs: this.version, architecture: 'amd64', fetched: 0, size: 5_000 },
      ...{ at: this.#rig.clock.now(), reason: null, told: null, ...more },
    };
    const cursor = { from, to: this.#changes };
    await this.#post('/api/core/uplink/verdicts', {
      ...{ head: this.#changes, oldest: 1, cursor, items: [state], features: this.features },
    });
  }

  piece(sha256: string, offset: number, bytes: number): Promise<Answer> {
    const path = packagePath(sha256, offset, bytes);
    return signedCall({
      ...{ url: this.#rig.hub.url, key: this.#key, method: 'GET', path, now: this.#rig.clock.now() },
    });
  }

  /** Its disk was exchanged: another store, which was told nothing. */
  async another(): Promise<void> {
    this.#epoch = randomUUID();
    this.#after = 0;
    this.#changes = 0;
    this.item = null;
    const cursor = { from: 0, to: 0 };
    await this.#post('/api/core/uplink/events', { head: 0, oldest: 0, cursor, items: [] });
  }

  async #post<T>(path: string, more: object): Promise<T> {
    const { version, instance } = this;
    const body = JSON.stringify({ protocol: PROTOCOL, version, instance, epoch: this.#epoch, ...more });
    const now = this.#rig.clock.now();
    const call = { url: this.#rig.hub.url, key: this.#key, method: 'POST', path, body, now };
    return jsonOf<T>(expectStatus(await signedCall(call), 200));
  }
}

export const rolloutOf = async (rig: SessionRig, id: string): Promise<RolloutView> =>
  jsonOf(expectStatus(await rig.admin('GET', `/api/core/rollouts/${id}`), 200));

/** Waits until the rounds of the hub have brought a rollout to where it is wanted. */
export const untilRollout = (
  rig: SessionRig,
  id: string,
  wanted: (rollout: RolloutView) => boolean,
): Promise<RolloutView> =>
  until('the rollout has come on', async () => {
    runAll();
    const rollout = await rolloutOf(rig, id);
    return wanted(rollout) && rollout;
  });

export async function sitesOf(rig: SessionRig, id: string, query = ''): Promise<RolloutSiteView[]> {
  const all: RolloutSiteView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const target = `/api/core/rollouts/${id}/sites?limit=300${query}${at}`;
    const page: { items: RolloutSiteView[]; nextCursor: string | null } = jsonOf(
      expectStatus(await rig.admin('GET', target), 200),
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

export const stepsOf = async (rig: SessionRig, id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await sitesOf(rig, id)).map(({ instance, step }) => [instance, step]));
