// Lines of the table: search at both, citation check and the index, which only headquarters has.
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { bare, type Line, type Make } from './line.ts';
import { TENANT, type World } from './world.ts';

const hub = (line: Omit<Line, 'only'>): Line => ({ only: 'hub', ...line });
const asked = { tenant_code: TENANT, subject: 'li' };
const atConsole: Make = (w) => ({ body: { ...asked, query: 'x' }, browser: w.session });
const BUILDING = 'the index of a small library is made within milliseconds; index-file.test.ts';

/** The policies in force have come down. */
const libraryHere = (w: World): Promise<boolean> =>
  until('a library at the site', async () => {
    const { items } = jsonOf<{ items: { tenantCode: string; state: string }[] }>(
      expectStatus(await w.call('GET', '/api/core/kb/library'), 200),
    );
    return items.some(({ tenantCode, state }) => tenantCode === TENANT && state === 'here');
  });

const searchAtSite: Line = {
  good: async (w) => {
    await libraryHere(w);
    return { body: { ...asked, query: '总则', explain: true } };
  },
  more: {
    '404 not_found': () => ({ body: { tenant_code: 'nobody', query: 'x' } }),
    '400 validation_failed': () => ({ body: { query: 'x' } }),
  },
  unseen: { 503: 'the library of a tenant is here within seconds; site/policy/library.test.ts' },
};

export const SEARCH: Record<string, Line> = {
  'GET /api/core/kb/library': { only: 'site', good: bare },
  'GET /api/core/kb/sites': hub({ good: bare }),
  'POST /api/core/kb/search': {
    atSite: searchAtSite,
    good: () => ({
      body: {
        ...asked,
        query: '总则',
        top_k: 3,
        src_systems: ['manual'],
        auto_embed: false,
        explain: true,
        query_embedding: [1, 0],
        embed_model: 'm',
      },
    }),
    more: {
      '403 tenant_not_allowed': atConsole,
      '400 validation_failed': () => ({ body: { ...asked, query: 'x', top_k: 21 } }),
    },
    unseen: { 503: BUILDING },
  },
  'POST /api/core/kb/chunks/verify': hub({
    good: () => ({
      body: { ...asked, chunks: [{ chunk_id: 1, sha256: '0'.repeat(64) }, { chunk_id: 999_999 }] },
    }),
    more: {
      '200': () => ({ body: { ...asked, chunk_ids: [1] } }),
      '403 tenant_not_allowed': (w) => ({ body: { ...asked, chunk_ids: [1] }, browser: w.session }),
      '400 validation_failed': () => ({ body: asked }),
    },
  }),
  'GET /api/core/kb/tenants': hub({ good: bare }),
  'GET /api/core/kb/index': hub({ good: bare }),
  'POST /api/core/kb/index/rebuild': hub({ good: bare }),
};
