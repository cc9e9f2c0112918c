// What the client package adds to openapi-fetch: the ways in, and bodies that are no JSON. It runs in
// browsers and in Node 20 or later.
import createOpenApiClient, { type Client, type ClientOptions, type Middleware } from 'openapi-fetch';

/** Who calls. What is left out is not sent; in a browser the session's cookie goes along by itself. */
export interface Options extends ClientOptions {
  /** `X-Admin-Key`. */
  adminKey?: string;
  /** The token of the open interface; a function is asked before each request. */
  token?: string | (() => string | Promise<string>);
  /** Key of a node, site or consumer: each request is signed with it. */
  key?: { keyId: string; secret: string };
}

/** A client whose calls, parameters, bodies and answers are typed by `Paths`. */
export function createClient<Paths extends {}>({ adminKey, token, key, ...options }: Options): Client<Paths> {
  const client = createOpenApiClient<Paths>({
    bodySerializer: (body: unknown) => (isBytes(body) ? body : (formOf(body) ?? JSON.stringify(body))),
    ...options,
    headers: {
      // A session's change is refused without it; other callers are not asked for it.
      'X-Requested-With': 'fieldline',
      ...(adminKey === undefined ? {} : { 'X-Admin-Key': adminKey }),
      ...headersOf(options.headers),
    },
  });
  if (token !== undefined) client.use(bearer(token));
  if (key !== undefined) client.use(signed(key));
  return client;
}

const headersOf = (given: ClientOptions['headers']): Record<string, string> =>
  given instanceof Headers ? Object.fromEntries(given) : ((given ?? {}) as Record<string, string>);

const isBytes = (body: unknown): body is Blob | Uint8Array<ArrayBuffer> =>
  body instanceof Blob || body instanceof Uint8Array;

/** A body with files goes as a form, other members as its texts. */
function formOf(body: unknown): FormData | null {
  if (typeof body !== 'object' || body === null || !Object.values(body).some(isBytes)) return null;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    if (isBytes(value)) form.append(name, value instanceof Blob ? value : new Blob([value]));
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}

function bearer(token: NonNullable<Options['token']>): Middleware {
  return {
    onRequest: async ({ request }) => {
      const text = typeof token === 'string' ? token : await token();
      request.headers.set('Authorization', `Bearer ${text}`);
      return request;
    },
  };
}

/** Signs as "Signature" in the description of the API says. */
function signed({ keyId, secret }: NonNullable<Options['key']>): Middleware {
  return {
    onRequest: async ({ request }) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const { pathname, search } = new URL(request.url);
      const body = await request.clone().arrayBuffer();
      const digest = hex(await crypto.subtle.digest('SHA-256', body));
      const text = ['v1', timestamp, request.method, pathname + search, digest].join('\n');
      request.headers.set('X-Core-Key', keyId);
      request.headers.set('X-Core-Timestamp', timestamp);
      request.headers.set('X-Core-Signature', `v1=${await hmac(secret, text)}`);
      return request;
    },
  };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', key, bytesOf(text)));
}

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
