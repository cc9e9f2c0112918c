import * as z from 'zod/mini';
import { AppError } from '../../http/error.ts';
import { describe, type SentMessage } from '../../http/openapi.ts';
import { route, type Access, type Route, type Schema } from '../../http/route.ts';
import { renderMetrics, type Metric } from '../../metrics.ts';
import { PROTOCOL } from '../../uplink/wire.ts';

export interface OperationOptions {
  service: 'fieldline-site' | 'fieldline-hq';
  version: string;
  commit: string;
  role: 'site' | 'hq';
  instance: string;
  epoch: () => string;
  kbQueryEmbed: boolean;
  /** Resolves when the store can take a write; rejects with the reason. */
  probe: () => Promise<void>;
  metrics: readonly Metric[];
  /** The figures count every tenant's events; where customers can reach them they are for operators. */
  metricsAccess: readonly Access[];
  /** The whole route table, for the description. */
  allRoutes: () => readonly Route[];
  /** What the program sends to addresses that were registered for it. */
  webhooks?: readonly SentMessage[] | undefined;
  /** Documented bodies of routes that check theirs themselves, by `METHOD path`. */
  bodies: ReadonlyMap<string, Schema>;
}

const versionView = z.object({
  service: z.string(), version: z.string(), commit: z.string(), role: z.enum(['site', 'hq']), instance: z.string(), epoch: z.string(),
  protocol: z.int(), kbQueryEmbed: z.boolean(),
});

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

/** Version, health, metrics and the description of the API itself (design §6). */
export function operationRoutes(options: OperationOptions): Route[] {
  const open = ['public'] as const;
  const probe = rarely(options.probe);
  return [
    route({
      method: 'GET', path: '/api/core/version', tag: 'Operation', access: open, summary: 'What runs here',
      replies: { 200: { description: 'The version', schema: versionView } },
      handle: () => ({
        body: {
          service: options.service, version: options.version, commit: options.commit, role: options.role, instance: options.instance,
          epoch: options.epoch(), protocol: PROTOCOL, kbQueryEmbed: options.kbQueryEmbed,
        },
      }),
    }),
    route({
      method: 'GET', path: '/healthz', tag: 'Operation', access: open, summary: 'The process answers',
      replies: { 200: { description: 'It does', schema: z.object({ ok: z.boolean() }) } }, handle: () => ({ body: { ok: true } }),
    }),
    route({
      method: 'GET', path: '/readyz', tag: 'Operation', access: open, summary: 'The store can take events',
      replies: { 200: { description: 'It can', schema: z.object({ ready: z.boolean() }) } }, errors: { 503: 'not_ready' },
      handle: async () => {
        try {
          await probe();
        } catch (cause) {
          throw new AppError(503, 'not_ready', 'The store cannot take a write now; the log says why.', { cause, retryAfterSeconds: 10 });
        }
        return { body: { ready: true } };
      },
    }),
    route({
      method: 'GET', path: '/metrics', tag: 'Operation', access: options.metricsAccess, permission: 'operation.view', summary: 'Prometheus metrics',
      replies: { 200: { description: 'Text exposition format', contentType: 'text/plain' } },
      handle: async () => {
        const { text, contentType } = await renderMetrics(options.metrics);
        return { body: text, contentType };
      },
    }),
    route({
      method: 'GET', path: '/openapi.json', tag: 'Operation', access: open, summary: 'This description',
      replies: { 200: { description: 'OpenAPI 3.1' } },
      handle: () => {
        const title = options.role === 'site' ? 'Fieldline site' : 'Fieldline headquarters';
        return { body: describe(options.allRoutes(), { title, version: options.version, bodies: options.bodies, webhooks: options.webhooks }) };
      },
    }),
  ];
}
