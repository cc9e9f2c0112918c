import * as z from 'zod/mini';
import { code } from '../../common/core/event/schema.ts';
import { actorOf } from '../../common/http/caller.ts';
import { type Reply, type Route, route } from '../../common/http/route.ts';
import type { DiskKeeper } from '../retention/keeper.ts';
import type { StatusOptions } from '../uplink/status.ts';
import { type FactsOptions, readFacts } from './facts.ts';
import { siteFacts } from './schema.ts';

/** Nothing from outside, nothing inline, no frame around it. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' " +
    "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** What the machine and its technician have: the status in one answer, the page, and the disk. */
export function siteStatusRoutes(options: FactsOptions, uplink: StatusOptions, disk: DiskKeeper): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/site/status',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'operation.view',
      summary: 'Everything a technician wants to know of this site',
      description:
        '`state`: `well`, `look` when a person should look at it, `bad` when it does not store or ' +
        'something critical stands. Figures per event are of this process since ' +
        'it started. `history` has a step for each five minutes of the last day in which the site ran.',
      replies: { 200: { description: 'The facts', schema: siteFacts } },
      handle: async () => ({ body: await readFacts(options, uplink) }),
    }),
    route({
      method: 'POST',
      path: '/api/core/disk/confirm',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'retention.confirm',
      body: z.strictObject({ by: code(128), note: z.optional(z.string().check(z.maxLength(2000))) }),
      summary: 'Let a further half of what is kept go, after the guard of a short disk has stopped',
      replies: {
        200: { description: 'The next sweep begins at once', schema: z.object({ confirmed: z.boolean() }) },
      },
      errors: { 409: 'nothing_to_confirm' },
      handle: async (call) => {
        await disk.confirm({ actor: `${call.body.by} as ${actorOf(call)}`, note: call.body.note ?? null });
        return { body: { confirmed: true } };
      },
    }),
    page(
      '/',
      'text/html; charset=utf-8',
      'The status page of this site, for a browser on its network',
      'text/html',
    ),
    page('/status.js', 'text/javascript; charset=utf-8', 'Script of the status page', 'text/javascript'),
    page('/status.css', 'text/css; charset=utf-8', 'Style of the status page', 'text/css'),
  ];
}

/** Serves one file of the page, which is made when somebody first asks for it: a site works without it. */
function page(
  path: '/' | '/status.js' | '/status.css',
  contentType: string,
  summary: string,
  documented: string,
): Route {
  return route({
    method: 'GET',
    path,
    tag: 'Operation',
    access: ['public'],
    summary,
    description: 'It shows nothing before a login with the admin key, but whether the site can store.',
    replies: { 200: { description: 'It', contentType: documented } },
    handle: async (): Promise<Reply> => {
      const { pageFiles } = await import('./page.ts');
      return { body: await pageFiles[path](), contentType, headers: PAGE_HEADERS };
    },
  });
}
