import type * as z from 'zod/mini';
import type { IncomingMessage } from 'node:http';
import type { Actor } from './auth.ts';
import type { KeyPurpose } from '../core/key/port.ts';
import type { Permission } from '../core/session/permissions.ts';

/** Ways in that a route may accept (design §5, "Who may call"). */
export type Access = 'public' | 'admin' | 'session' | KeyPurpose;

/** What a login session needs; `self`: nothing, since the route shows and changes only what is its own. */
export type RoutePermission = Permission | 'self';

export type Schema = z.ZodMiniType;
type Output<S> = S extends Schema ? z.infer<S> : undefined;

/** One request as a handler sees it: authenticated, parsed and valid. */
export interface Call<P = undefined, Q = undefined, B = undefined> {
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  /** Address of the peer, for the audit. */
  ip: string;
  requestId: string;
  request: IncomingMessage;
}

export interface Reply {
  status?: number;
  /** An object is serialised as JSON; a string is sent as it is. */
  body: object | string;
  contentType?: string;
  headers?: Record<string, string | string[]>;
}

export interface ReplyDoc {
  description: string;
  schema?: Schema;
  contentType?: string;
}

interface RouteSpec<P extends Schema | undefined, Q extends Schema | undefined, B extends Schema | undefined> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as OpenAPI writes it. */
  path: string;
  summary: string;
  tag: string;
  access: readonly Access[];
  /** Required with the access `session`; without it sessions are refused. */
  permission?: RoutePermission;
  params?: P;
  query?: Q;
  body?: B;
  /** Largest body in bytes as received and after decompression; default 1 MiB. */
  maxBody?: number;
  /** Whether gzip and zstd bodies are accepted. */
  compressed?: boolean;
  replies: Record<number, ReplyDoc>;
  /** Error statuses of its own with their codes, besides those that every route may give. */
  errors?: Record<number, string>;
  handle: (call: Call<Output<P>, Output<Q>, Output<B>>) => Promise<Reply> | Reply;
}

export interface Route extends Omit<RouteSpec<Schema | undefined, Schema | undefined, Schema | undefined>, 'handle'> {
  handle: (call: Call<unknown, unknown, unknown>) => Promise<Reply> | Reply;
}

/** Declares a route; the same declaration serves requests and the OpenAPI description. */
export function route<
  P extends Schema | undefined = undefined, Q extends Schema | undefined = undefined, B extends Schema | undefined = undefined,
>(spec: RouteSpec<P, Q, B>): Route {
  return spec as unknown as Route;
}
