import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import type { KeyPurpose, Permission, Scope } from './access.ts';
import type { Actor } from './actor.ts';
import type { HeldCall } from './body/held.ts';
import type { JsonLimits } from './body/json-extent.ts';
import type { AppError } from './error.ts';
import type { FilePart, UploadedFile } from './form/form.ts';
import type { NetworkList } from './outbound/address.ts';
import type { BodyDigest } from './signing/signature.ts';

/** Ways in that a route may accept (DESIGN.md, "Who may call"). */
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
  /** Only on routes with `stream`. */
  stream?: StreamedBody;
  /** Only on routes with `raw`. */
  raw?: Buffer;
  /** Only on routes with `files`: each of them, by the name of its part. */
  files?: Readonly<Record<string, UploadedFile>>;
  /** Only on routes with `holds`: takes the call for one that goes on after the handler has answered. */
  held?: () => HeldCall;
  /** Address of the peer, for the audit. */
  ip: string;
  requestId: string;
  request: IncomingMessage;
}

/** A body that the handler reads itself, from a caller who has not proved yet who he is. */
export interface StreamedBody {
  /** Bytes as they arrive. @throws AppError 413 past the route's `maxBody`, 400 when the peer breaks off */
  read(): AsyncIterable<Buffer>;
  /** Tenant of the key that is claimed, for finding what the body is checked against; null for none. */
  claimedTenant: string | null;
  /**
   * Who calls, when the body has this digest. @throws AppError 401 when the signature is not over it, or its
   * time is off
   */
  prove(digest: BodyDigest): Actor;
}

export interface Reply {
  status?: number;
  /** An object is serialised as JSON; a string or bytes are sent as they are, a stream to its end. */
  body: object | string | Buffer | Readable;
  contentType?: string;
  headers?: Record<string, string | string[]>;
}

export interface ReplyDoc {
  description: string;
  schema?: Schema;
  contentType?: string;
}

export interface HeaderDoc {
  required: boolean;
  description: string;
  example: string;
}

interface RouteSpec<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as OpenAPI writes it. */
  path: string;
  /** One sentence: what the call does. */
  summary: string;
  /** What else a caller must know: decisions, edge cases, what is idempotent. Markdown. */
  description?: string;
  tag: string;
  access: readonly Access[];
  /** Required with the access `session`; without it sessions are refused. */
  permission?: RoutePermission;
  /** Required with the access `consumer`: a key with any of these may make the call. */
  scopes?: readonly Scope[];
  /** What a public route proves itself, for the description: an access token, or a client's secret. */
  credentials?: 'token' | 'client';
  /**
   * Path and query are handed over as they came, in texts, and parameters that are not known are passed over:
   * the handler looks at credentials before it looks at them.
   */
  anyTarget?: boolean;
  /** Whether a parameter of the query that is given without a value counts as left out. */
  blankAbsent?: boolean;
  /** Headers that the handler reads, for the description. */
  headers?: Readonly<Record<string, HeaderDoc>>;
  params?: P;
  query?: Q;
  body?: B;
  /** Largest body in bytes as received and after decompression; default 1 MiB. */
  maxBody?: number;
  /** What the JSON of the body may hold, where that is not `DEFAULT_LIMITS`. */
  limits?: Partial<JsonLimits>;
  /**
   * From where callers without credentials are let in as nobody; null is everywhere. Those with credentials
   * are known by them.
   */
  openTo?: NetworkList | null;
  /**
   * The body is handed over unread in `call.stream`, and `call.actor` is nobody: the handler must call
   * `prove` before it does or tells anything that is not for everyone.
   */
  stream?: boolean;
  /** The body is handed over as it came, in `call.raw`, when the caller is known. */
  raw?: boolean;
  /** Whether gzip and zstd bodies are accepted. */
  compressed?: boolean;
  /**
   * Waits until the body may be worked on, when the caller is known. @returns to be called once when it is
   * answered @throws AppError 503 where too much waits
   */
  admit?: (actor: Actor, bytes: number) => Promise<() => void>;
  /**
   * Told of each answer to a caller with a signing key that exists, whose signature may be wrong.
   * @param error why it was refused; null: it was not
   */
  heard?: (keyId: string, error: AppError | null) => void;
  /** Whether an `application/x-www-form-urlencoded` body is accepted beside JSON. */
  form?: boolean;
  /**
   * The files of a `multipart/form-data` body, by the names of their parts; its other parts are texts, and
   * `body` their schema. Such a route takes no signing keys.
   */
  files?: Readonly<Record<string, FilePart>>;
  /** Whether a request with an `Idempotency-Key` is carried out once (`middleware/retried.ts`). */
  retryKey?: boolean;
  /** Whether a request without any body stands for one with the body `{}`. */
  bodyOptional?: boolean;
  /**
   * Whether numbers of the body that JavaScript cannot hold are kept as they were written, where the schema
   * takes anything.
   */
  exactNumbers?: boolean;
  /**
   * Whether answers and errors are in the envelope `{code, message, data}` of the open interface (spec 1).
   */
  envelope?: boolean;
  /** Whether its calls may be held until there is something to answer, with a stream as the answer. */
  holds?: boolean;
  /** Whether requests go past Koa (`direct.ts`). The answer is a text or an object. */
  direct?: boolean;
  replies: Record<number, ReplyDoc>;
  /**
   * Error statuses of its own with their codes ("a, b"), besides those that follow from the route's form
   * (`openapi/error.ts`).
   */
  errors?: Record<number, string>;
  handle: (call: Call<Output<P>, Output<Q>, Output<B>>) => Promise<Reply> | Reply;
}

export interface Route extends Omit<
  RouteSpec<Schema | undefined, Schema | undefined, Schema | undefined>,
  'handle'
> {
  handle: (call: Call<unknown, unknown, unknown>) => Promise<Reply> | Reply;
}

/** Declares a route; the same declaration serves requests and the OpenAPI description. */
export function route<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(spec: RouteSpec<P, Q, B>): Route {
  return spec as unknown as Route;
}
