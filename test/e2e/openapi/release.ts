// Releases, and rollouts of them.
import { generateKeyPairSync, hash } from 'node:crypto';
import { type SignedManifest, signManifest } from '../../../common/uplink/upgrade/manifest.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { at, bare, type Line } from './line.ts';
import { type Ask, TENANT, type World } from './world.ts';

const BYTES = Buffer.from('a package');
const SHA256 = hash('sha256', BYTES);
const keys = generateKeyPairSync('ed25519');
let made = 0;

/** Each has a version of its own. */
function documentOf(more: object = {}): { version: string; document: SignedManifest } {
  const version = `1.0.${(made += 1)}`;
  const name = `fieldline-site_${version}_amd64.deb`;
  const packages = [{ architecture: 'amd64' as const, name, size: BYTES.length, sha256: SHA256 }];
  const manifest = { format: 1, product: 'fieldline-site', version, made_at: 1, packages, ...more } as const;
  return { version, document: signManifest(manifest, keys) };
}

async function release(w: World): Promise<string> {
  const { version, document } = documentOf();
  await w.made('/api/core/releases', document);
  return version;
}

const upload = (version: string, bytes = BYTES): Ask => ({
  target: `/api/core/releases/${version}/packages/amd64`,
  raw: { type: 'application/octet-stream', bytes },
});

async function whole(w: World): Promise<string> {
  const version = await release(w);
  await w.send({ method: 'PUT', path: '' }, upload(version));
  return version;
}

async function site(w: World): Promise<string> {
  const instance = w.fresh('site');
  await w.made('/api/core/sites', { instance, tenants: [TENANT] });
  return instance;
}

async function rollout(w: World): Promise<{ id: string; version: string; instance: string }> {
  const [version, instance] = [await whole(w), await site(w)];
  const { id } = await w.made('/api/core/rollouts', { version, sites: [instance] });
  return { id: String(id), version, instance };
}

async function over(w: World): Promise<string> {
  const { id } = await rollout(w);
  await w.made(`/api/core/rollouts/${id}/abort`, {}, 200);
  return id;
}

const act = (what: string, body?: unknown): Line => ({
  only: 'hub',
  good: async (w) => at(`/api/core/rollouts/${(await rollout(w)).id}/${what}`, body),
  more: { '409 rollout_over': async (w) => at(`/api/core/rollouts/${await over(w)}/${what}`, body) },
});

/** A package that `site-2` was told to have. */
async function wanted(w: World): Promise<string> {
  const version = await whole(w);
  const { pool } = w.store as HubStore;
  await pool.query(
    `insert into site_upgrades (instance, id, no, version, document, hours, state, given_by, given_at)
     values ('site-2', 'site-2 1', 1, $1, '{}', '{}', 'over', 'li', 0)
     on conflict (tenant_code, instance) do update set version = excluded.version`,
    [version],
  );
  return `/api/core/uplink/releases/${SHA256}?offset=0&bytes=4`;
}

export const RELEASES: Record<string, Line> = {
  'GET /api/core/releases': { only: 'hub', good: bare },
  'POST /api/core/releases': {
    only: 'hub',
    good: () => at('/api/core/releases', documentOf().document),
    more: {
      '200': async (w) => {
        const { document } = documentOf();
        await w.made('/api/core/releases', document);
        return at('/api/core/releases', document);
      },
      '409 release_exists': async (w) =>
        at('/api/core/releases', documentOf({ version: await release(w), made_at: 2 }).document),
    },
    unseen: { 422: 'this hub was given no keys', 503: 'nor are any unreadable' },
  },
  'GET /api/core/releases/{version}': {
    only: 'hub',
    good: async (w) => at(`/api/core/releases/${await release(w)}`),
  },
  'DELETE /api/core/releases/{version}': {
    only: 'hub',
    good: async (w) => at(`/api/core/releases/${await release(w)}`),
    more: { '409 release_in_use': async (w) => at(`/api/core/releases/${(await rollout(w)).version}`) },
  },
  'PUT /api/core/releases/{version}/packages/{architecture}': {
    only: 'hub',
    good: async (w) => upload(await release(w)),
    more: {
      '200': async (w) => upload(await whole(w)),
      '422 package_mismatch': async (w) => upload(await release(w), Buffer.from('another')),
    },
  },
  'GET /api/core/uplink/releases/{sha256}': { only: 'hub', good: async (w) => at(await wanted(w)) },
  'GET /api/core/rollouts': { only: 'hub', good: bare },
  'POST /api/core/rollouts': {
    only: 'hub',
    good: async (w) => at('/api/core/rollouts', { version: await whole(w), sites: [await site(w)] }),
    more: {
      '404 not_found': async (w) => at('/api/core/rollouts', { version: await whole(w), sites: ['nowhere'] }),
      '409 release_incomplete': async (w) =>
        at('/api/core/rollouts', { version: await release(w), sites: [await site(w)] }),
      '409 sites_held': async (w) => {
        const { instance } = await rollout(w);
        return at('/api/core/rollouts', { version: await whole(w), sites: [instance] });
      },
    },
  },
  'POST /api/core/rollouts/preview': {
    only: 'hub',
    good: async (w) => at('/api/core/rollouts/preview', { version: '1.0.0', sites: [await site(w)] }),
    more: {
      '404 not_found': () => at('/api/core/rollouts/preview', { version: '1.0.0', group: 'Nowhere' }),
    },
  },
  'GET /api/core/rollouts/{id}': {
    only: 'hub',
    good: async (w) => at(`/api/core/rollouts/${(await rollout(w)).id}`),
  },
  'GET /api/core/rollouts/{id}/sites': {
    only: 'hub',
    good: async (w) => at(`/api/core/rollouts/${(await rollout(w)).id}/sites`),
  },
  'POST /api/core/rollouts/{id}/pause': act('pause'),
  'POST /api/core/rollouts/{id}/resume': act('resume', { failed: 'again' }),
  'POST /api/core/rollouts/{id}/abort': act('abort'),
  'GET /api/core/sites/{instance}/upgrade': {
    only: 'hub',
    good: async (w) => at(`/api/core/sites/${(await rollout(w)).instance}/upgrade`),
  },
};
