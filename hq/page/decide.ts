import { takesEncoding } from '../../common/http/accept-encoding.ts';

/** A file of the built console as browsers get it. */
export interface PageFile {
  contentType: string;
  content: Buffer;
  /** By the name that `Content-Encoding` has for it; absent where the file is small or does not shrink. */
  forms: { br?: Buffer; gzip?: Buffer };
  /** Its name has the digest of what is in it; otherwise browsers ask each time. */
  lasting: boolean;
}

/** The console as it was built: the page that starts it, and its files by their paths. */
export interface BuiltConsole {
  /** With `@NONCE@` where the nonce of an answer stands. */
  index: string;
  files: ReadonlyMap<string, PageFile>;
}

/** What of a request decides which page answers it. */
export interface PageRequest {
  method: string;
  path: string;
  accept: string;
  acceptEncoding: string;
}

export interface PageReply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** First names of paths that the API has: under them an error is one of the API, whoever asks. */
export const firstName = (path: string): string => path.split('/')[1] ?? '';

const NOT_BUILT =
  'The console is not built. In the source folder, "npm run build" or "npm start" builds it; ' +
  'the hub serves it from then on.\nThe API is described at /docs.\n';

/**
 * What of the console answers a request that no route took; null: nothing does.
 * @param api first names of the API's paths
 * @param nonce of this answer alone, for the styles that the page makes
 */
export function pageFor(
  request: PageRequest,
  built: BuiltConsole | null,
  api: ReadonlySet<string>,
  nonce: string,
): PageReply | null {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') return null;
  const file = built?.files.get(path);
  if (file) return fileReply(file, request.acceptEncoding);
  if (api.has(firstName(path)) || !isNavigation(request)) return null;
  if (!built)
    return { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: NOT_BUILT };
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      // The names in it change with every version.
      'Cache-Control': 'no-cache',
      ...policyOf(nonce),
    },
    body: built.index.replaceAll('@NONCE@', nonce),
  };
}

/** A browser that opens an address says that it wants HTML; at the root also whoever takes anything. */
function isNavigation({ path, accept }: PageRequest): boolean {
  if (accept.includes('text/html')) return true;
  return path === '/' && (accept === '' || accept.includes('*/*'));
}

/** A year, seconds: the name of such a file has the digest of what is in it. */
const YEAR = 31_536_000;

function fileReply({ contentType, content, forms, lasting }: PageFile, acceptEncoding: string): PageReply {
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': lasting ? `public, max-age=${YEAR}, immutable` : 'no-cache',
    Vary: 'Accept-Encoding',
    // What the service worker may do stands with its file.
    ...(lasting ? {} : { 'Content-Security-Policy': `default-src 'none'; connect-src 'self'` }),
  };
  for (const encoding of ['br', 'gzip'] as const) {
    const form = forms[encoding];
    if (form && takesEncoding(acceptEncoding, encoding))
      return { status: 200, headers: { ...headers, 'Content-Encoding': encoding }, body: form };
  }
  return { status: 200, headers, body: content };
}

/**
 * Nothing comes from another host, and no script stands in the page. Styles are the built files and what antd
 * makes at run time: its elements carry the nonce, so that no style which others put into the page holds.
 * Attributes of style that scripts set are none of it (CSP 3, 8.3).
 * @param nonce of this answer alone
 */
const policyOf = (nonce: string): Record<string, string> => ({
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `worker-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
});
