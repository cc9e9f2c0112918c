import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from './actor.ts';
import type { Credentials } from './auth.ts';
import type { BodyHold } from './body/budget.ts';
import type { HeldCall } from './body/held.ts';
import type { UploadedFile } from './form/form.ts';
import type { Route, StreamedBody } from './route.ts';
import type { BodyDigest } from './signing/signature.ts';

/**
 * What is known of a request, as `ctx.state`. Each middleware sets the members that its comment names it for;
 * those after it may read them (`app.ts` has the order).
 */
export interface RequestState {
  /** Under which the log has the request. By `requestId`. */
  requestId: string;
  /** The route that takes the request; undefined as long as none did. By `identify`. */
  route?: Route;
  /** Address of the caller, behind proxies that are trusted; empty for the local socket. By `identify`. */
  ip: string;
  /** What the caller shows, before the body is read. By `identify`. */
  credentials: Credentials;
  /** What the body takes of the room for all bodies. By `reserveRoom`. */
  hold: BodyHold;
  /** The body as it was received. By `readBody`. */
  raw: Buffer;
  /** What a signature must be over. By `readBody`. */
  signed: Buffer | BodyDigest;
  /** Who calls. By `verifyCaller` or `settleCaller`; nobody yet on a route that reads the body itself. */
  actor: Actor;
  /** The body of a route that reads it itself. By `handOverBody`. */
  stream?: StreamedBody;
  /** The texts of a form. By the reader of forms. */
  form?: Record<string, string>;
  /** The files of a form. By the reader of forms. */
  files?: Readonly<Record<string, UploadedFile>>;
  /** By `readTarget`. */
  params: unknown;
  /** By `readTarget`. */
  query: unknown;
  /** The valid body; undefined where the route takes none. By `parseBody`. */
  body?: unknown;
  /** Holds the call. By `holdCalls`. */
  held?: () => HeldCall;
  /** Bytes of a streamed answer that have been read for sending. By `handle`. */
  streamedBytes?: number;
}

/**
 * What the middleware of this program use of Koa's context, with Koa's meaning. Intake has one of its own
 * (`direct.ts`).
 */
export interface Context {
  readonly req: IncomingMessage;
  readonly res: Pick<ServerResponse, 'once' | 'end' | 'write' | 'flushHeaders'>;
  readonly state: RequestState;
  readonly method: string;
  /** As on the request line. */
  readonly url: string;
  /** Without the query. @throws where the request line has no address */
  readonly path: string;
  /** After the question mark; empty without one. */
  readonly querystring: string;
  /** Parameters of the path; the router sets them. */
  readonly params?: unknown;
  status: number;
  body: unknown;
  set(headers: Readonly<Record<string, string | string[]>>): void;
  set(name: string, value: string): void;
  /** Sends the head of the answer at once. */
  flushHeaders(): void;
  readonly response: { get(name: string): string };
}

export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>;
