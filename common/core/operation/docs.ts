// The description of the API as a page for people: the viewer, and what starts it.
import { takesEncoding } from '../../http/accept-encoding.ts';
import { type Route, route } from '../../http/route.ts';
import { openViewer, type ViewerFile } from './viewer.ts';

/** A day, seconds: the viewer is large and hardly ever another one. */
const KEPT = 'public, max-age=86400';

/** Nothing from outside, no script in the page, no frame; the viewer's pictures are in its style. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

const pageOf = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/viewer.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<noscript>The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="description"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Calls that change something are not made from here: nobody should do that by a slip. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const look = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', look);
look();
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  displayRequestDuration: true,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

const STYLE = `body { margin: 0; }
html.dark-mode body { background: #1c2022; }
.swagger-ui { overflow-wrap: anywhere; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .opblock-body { overflow-x: auto; }
/* There is one server: the one that is asked. */
.swagger-ui .schemes-server-container { display: none; }
.swagger-ui .scheme-container { overflow-x: clip; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info .title { font-size: 26px; }
  .swagger-ui .opblock .opblock-summary, .swagger-ui .opblock-tag { flex-wrap: wrap; }
}
`;

interface Served {
  path: string;
  summary: string;
  contentType: string;
  cached: string;
  body: (call: { acceptEncoding: string }) => Promise<{ bytes: string | Buffer; gzip?: boolean }>;
}

/** @param title of the program, at the head of the page */
export function docsRoutes(title: string): Route[] {
  const viewer = openViewer();
  const text = (bytes: string) => () => Promise.resolve({ bytes });
  const file =
    (name: ViewerFile): Served['body'] =>
    async ({ acceptEncoding }) => {
      const gzip = takesEncoding(acceptEncoding, 'gzip');
      return { bytes: await viewer.read(name, gzip), gzip };
    };
  const served: Served[] = [
    {
      path: '/docs',
      summary: 'This description as a page for people',
      contentType: 'text/html',
      cached: 'no-cache',
      body: text(pageOf(title)),
    },
    {
      path: '/docs/start.js',
      summary: 'What starts the viewer of the description',
      contentType: 'text/javascript',
      cached: 'no-cache',
      body: text(START),
    },
    {
      path: '/docs/page.css',
      summary: 'Style of the page around the viewer',
      contentType: 'text/css',
      cached: 'no-cache',
      body: text(STYLE),
    },
    {
      path: '/docs/viewer.js',
      summary: 'Script of the viewer (Swagger UI)',
      contentType: 'text/javascript',
      cached: KEPT,
      body: file('viewer.js'),
    },
    {
      path: '/docs/viewer.css',
      summary: 'Style of the viewer (Swagger UI)',
      contentType: 'text/css',
      cached: KEPT,
      body: file('viewer.css'),
    },
  ];
  return served.map(routeOf);
}

function routeOf({ path, summary, contentType, cached, body }: Served): Route {
  return route({
    method: 'GET',
    path,
    tag: 'Operation',
    access: ['public'],
    summary,
    replies: { 200: { description: 'It', contentType } },
    handle: async ({ request }) => {
      const { bytes, gzip } = await body({
        acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
      });
      return {
        body: bytes,
        contentType: `${contentType}; charset=utf-8`,
        headers: {
          ...PAGE_HEADERS,
          'Cache-Control': cached,
          Vary: 'Accept-Encoding',
          ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
        },
      };
    },
  });
}
