import * as z from 'zod/mini';
import { scopes } from '../../http/access.ts';
import { described } from '../../http/described.ts';
import { AppError } from '../../http/error.ts';
import { describe, describeInPieces, type SentMessage } from '../../http/openapi/describe.ts';
import type { FieldTexts } from '../../http/openapi/field-texts.ts';
import type { NetworkList } from '../../http/outbound/address.ts';
import { type Route, route, type Schema } from '../../http/route.ts';
import { type Metric, renderMetrics } from '../../metrics.ts';
import { PROTOCOL } from '../../uplink/wire.ts';
import type { Runs } from '../run/runs.ts';
import { type LastBackup, lastBackup, unplannedEndsView } from '../run/schema.ts';
import { docsRoutes } from './docs.ts';

/** What the description of a program is made from, beside its routes. */
export interface ProgramDescription {
  role: 'site' | 'hq';
  version: string;
  /** What the program sends to addresses that were registered for it. */
  webhooks?: readonly SentMessage[] | undefined;
  /** Documented bodies of routes that check theirs themselves, by `METHOD path`. */
  bodies: ReadonlyMap<string, Schema>;
  /** What the members of bodies mean that are the program's own. */
  fields: FieldTexts;
}

export interface OperationOptions {
  service: 'fieldline-site' | 'fieldline-hq';
  commit: string;
  described: ProgramDescription;
  instance: string;
  epoch: () => string;
  kbQueryEmbed: boolean;
  /** Resolves when the store can take a write; rejects with the reason. */
  probe: () => Promise<void>;
  metrics: readonly Metric[];
  runs: Runs;
  lastBackup: () => LastBackup | null;
  /** From where the figures are read without credentials; they count every tenant's events. */
  metricsNetworks: NetworkList;
  /** The whole route table, for the description. */
  allRoutes: () => readonly Route[];
}

const versionView = z
  .object({
    service: z.string(),
    role: z.enum(['site', 'hq']),
    protocol: z.int(),
    kbQueryEmbed: z.boolean(),
    version: z.optional(z.string()),
    commit: z.optional(z.string()),
    instance: z.optional(z.string()),
    epoch: z.optional(z.string()),
  })
  .register(described, { id: 'Version' });

/** A probe writes to the disk; asking more often than this gets the last answer. */
const PROBE_EVERY_MS = 2_000;

function rarely(probe: () => Promise<void>): () => Promise<void> {
  let last: { at: number; result: Promise<void> } | null = null;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= PROBE_EVERY_MS) last = { at: now, result: probe() };
    return last.result;
  };
}

const TITLES = { site: 'Fieldline site', hq: 'Fieldline headquarters' } as const;

/** The OpenAPI 3.1 description of a program. @param routes the whole table that it serves */
export function describeProgram(
  routes: readonly Route[],
  { role, ...text }: ProgramDescription,
): Record<string, unknown> {
  return describe(routes, { title: TITLES[role], ...text });
}

/** Made once, and sent to everybody from the same bytes: it is large, and everybody may ask. */
async function describedBy({ allRoutes, described: { role, ...text } }: OperationOptions): Promise<Buffer> {
  const description = await describeInPieces(allRoutes(), { title: TITLES[role], ...text });
  return Buffer.from(JSON.stringify(description));
}

/** Version, health, metrics and the description of the API itself, also as a page (DESIGN.md, "The API"). */
export function operationRoutes(options: OperationOptions): Route[] {
  const open = ['public'] as const;
  const probe = rarely(options.probe);
  let page: Promise<Buffer> | null = null;
  return [
    route({
      method: 'GET',
      path: '/api/core/version',
      tag: 'Operation',
      access: ['admin', 'session', 'node', 'site', 'consumer'],
      permission: 'self',
      scopes,
      openTo: null,
      summary: 'What runs here',
      description:
        'Without credentials only what a caller needs to know how to speak to this service; which ' +
        'release it is, and its name, is told to those who have some.',
      replies: { 200: { description: 'The version', schema: versionView } },
      handle: ({ actor }) => {
        const { service, kbQueryEmbed, commit, instance } = options;
        const { role, version } = options.described;
        const known = actor.kind === 'public' ? {} : { version, commit, instance, epoch: options.epoch() };
        return { body: { service, role, protocol: PROTOCOL, kbQueryEmbed, ...known } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/unplanned-ends',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'operation.view',
      summary: 'How often the program ended without having been stopped',
      description:
        'Of this process and those that ran in its folder of data before, counted when it starts again. ' +
        '`hang`: the service manager ended it since it gave no sign of life; `memory`: it took too much; ' +
        '`failed`: by an error of its own; `power`: the machine went down with it; `killed`: anything ' +
        'else. Three within a day are the alarm `ends_repeat`. `stalls`: times in which it did not run for ' +
        'five seconds or longer and then went on by itself; each is the alarm `program_stalled`.',
      replies: { 200: { description: 'The ends of the last days', schema: unplannedEndsView } },
      handle: () => ({ body: options.runs.view() }),
    }),
    route({
      method: 'GET',
      path: '/api/core/last-backup',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'operation.view',
      summary: 'The last backup that was made of this program',
      description:
        'As the command `backup` noted it beside the data of this machine: when it was made, how large it ' +
        'is, how many events are in it, and whether it was `verified`, that is looked through afterwards ' +
        'and found whole. null: none is known of, such as where the database is copied by other means.',
      replies: {
        200: { description: 'The backup', schema: z.object({ backup: z.nullable(lastBackup) }) },
      },
      handle: () => ({ body: { backup: options.lastBackup() } }),
    }),
    route({
      method: 'GET',
      path: '/healthz',
      tag: 'Operation',
      access: open,
      summary: 'The process answers',
      replies: { 200: { description: 'It does', schema: z.object({ ok: z.boolean() }) } },
      handle: () => ({ body: { ok: true } }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      tag: 'Operation',
      access: open,
      summary: 'The store can take events',
      replies: { 200: { description: 'It can', schema: z.object({ ready: z.boolean() }) } },
      errors: { 503: 'not_ready' },
      handle: async () => {
        try {
          await probe();
        } catch (cause) {
          throw new AppError(503, 'not_ready', 'The store cannot take a write now; the log says why.', {
            cause,
            retryAfterSeconds: 10,
          });
        }
        return { body: { ready: true } };
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'operation.view',
      openTo: options.metricsNetworks,
      summary: 'Prometheus metrics',
      description:
        'Without credentials from the networks of CORE_METRICS_NETWORKS only: at a site this machine, ' +
        'unless it is set; at headquarters none.',
      replies: { 200: { description: 'Text exposition format', contentType: 'text/plain' } },
      handle: async () => {
        const { text, contentType } = await renderMetrics(options.metrics);
        return { body: text, contentType };
      },
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      tag: 'Operation',
      access: open,
      summary: 'This description',
      replies: { 200: { description: 'OpenAPI 3.1' } },
      handle: async () => ({ body: await (page ??= describedBy(options)) }),
    }),
    ...docsRoutes(TITLES[options.described.role]),
  ];
}
