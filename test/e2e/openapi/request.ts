// Looking into sites.
import { hash, randomUUID } from 'node:crypto';
import type { HubStore } from '../../../hq/stores.ts';
import { at, type Line } from './line.ts';
import { type Ask, TENANT, type World } from './world.ts';

const FILE = Buffer.from('a piece of an archive');
const hub = (w: World): HubStore => w.store as HubStore;

/** A site of its own: of one, only so many may be open. */
async function site(w: World): Promise<string> {
  const instance = w.fresh('site');
  await w.made('/api/core/sites', { instance, tenants: [TENANT] });
  return instance;
}

const pathOf = (instance: string): string => `/api/core/sites/${instance}/requests`;

async function reported(w: World, instance: string, care: 'on' | 'off'): Promise<void> {
  await hub(w).pool.query(
    `update sites set report = json_build_object('remote_care', $2::text)
    where instance = $1`,
    [instance, care],
  );
}

/** A request whose answer has a file, of which `held` is here. */
async function answered(w: World, instance: string, held = 0): Promise<string> {
  const id = randomUUID();
  const asked = { device: null, lines: null, seconds: null, language: 'en' } as const;
  await hub(w).siteRequests.ask(
    {
      ...{ id, tenantCode: TENANT, instance, what: 'bundle', asked, askedBy: 'li' },
      ...{ askedAt: Date.now(), expiresAt: Date.now() + 60_000 },
    },
    { open: 1_000, hour: 1_000, kept: 1_000 },
    { actor: 'li', stamp: { now: Date.now(), newId: randomUUID } },
  );
  const file = {
    ...{ name: 'a.tar.gz', content_type: 'application/gzip' },
    ...{ size: FILE.length, sha256: hash('sha256', FILE) },
  };
  await hub(w).pool.query(`update site_requests set state = 'done', file = $2 where id = $1`, [
    id,
    JSON.stringify(file),
  ]);
  if (held > 0) await hub(w).siteRequests.addPiece(id, 0, FILE.subarray(0, held));
  return id;
}

const piece = async (w: World, offset = 0, bytes = FILE, id?: string): Promise<Ask> => ({
  target: `/api/core/uplink/requests/${id ?? (await answered(w, 'site-2'))}/file?offset=${offset}`,
  raw: { type: 'application/octet-stream', bytes },
});

export const SITE_REQUESTS: Record<string, Line> = {
  'POST /api/core/sites/{instance}/requests': {
    only: 'hub',
    good: async (w) => at(pathOf(await site(w)), { what: 'check' }),
    more: {
      '409 site_care_off': async (w) => {
        const instance = await site(w);
        await reported(w, instance, 'off');
        return at(pathOf(instance), { what: 'check' });
      },
      '409 too_many_requests_open': async (w) => {
        const instance = await site(w);
        for (let n = 0; n < 10; n += 1) await w.made(pathOf(instance), { what: 'check' });
        return at(pathOf(instance), { what: 'check' });
      },
      '409 too_many_requests_asked': async (w) => {
        const instance = await site(w);
        for (let n = 0; n < 120; n += 1) await answered(w, instance);
        return at(pathOf(instance), { what: 'check' });
      },
    },
  },
  'GET /api/core/sites/{instance}/requests': {
    only: 'hub',
    good: async (w) => at(pathOf(await site(w))),
  },
  'GET /api/core/sites/{instance}/requests/{id}': {
    only: 'hub',
    good: async (w) => {
      const instance = await site(w);
      return at(`${pathOf(instance)}/${await answered(w, instance)}`);
    },
  },
  'DELETE /api/core/sites/{instance}/requests/{id}': {
    only: 'hub',
    good: async (w) => {
      const path = pathOf(await site(w));
      return at(`${path}/${(await w.made(path, { what: 'check' })).id}`);
    },
    more: {
      '409 request_over': async (w) => {
        const instance = await site(w);
        return at(`${pathOf(instance)}/${await answered(w, instance)}`);
      },
    },
  },
  'GET /api/core/sites/{instance}/requests/{id}/file': {
    only: 'hub',
    good: async (w) => {
      const instance = await site(w);
      return at(`${pathOf(instance)}/${await answered(w, instance, FILE.length)}/file`);
    },
  },
  'PUT /api/core/uplink/requests/{request_id}/file': {
    only: 'hub',
    good: (w) => piece(w),
    more: {
      '404 not_found': (w) => piece(w, 0, FILE, 'nothing'),
      '400 validation_failed': (w) => piece(w, 0, FILE.subarray(0, 5)),
      '409 request_unanswered': async (w) => {
        const id = await answered(w, 'site-2');
        await hub(w).pool.query(`update site_requests set state = 'open' where id = $1`, [id]);
        return piece(w, 0, FILE, id);
      },
      '409 answer_offset': (w) => piece(w, 5),
      '422 answer_mismatch': (w) => piece(w, 0, Buffer.from(FILE.toReversed())),
    },
  },
};
