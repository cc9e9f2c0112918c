// The programs as the packages bring them: bundled once for a run, since a start from the sources costs
// four times the processor time.
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { onDemand } from './on-demand.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Below node_modules, where a bundle finds its native modules. */
const BUILT = path.join(ROOT, 'node_modules/.cache/programs');
const MARK = path.join(BUILT, '.made-of');
/** What a hub in the tests' own process shows lies where a checkout has it. */
const CONSOLE = path.join(ROOT, 'dist/console/index.html');
const MADE_OF = ['common', 'hq', 'packaging', 'site'];
/** What tests start besides: programs that end themselves at a point that a test names, and the camera. */
const ALSO = {
  'test/support/evidence-killed-site.ts': 'site',
  'test/support/agent-killed-site.ts': 'site',
  'test/support/delivery-killed-hub.ts': 'hq',
  'packaging/demo/camera.ts': 'site',
};
const BUNDLES: Record<string, string> = {
  'site/main.ts': 'site/main.mjs',
  'hq/main.ts': 'hq/main.mjs',
  ...Object.fromEntries(
    Object.entries(ALSO).map(([file, program]) => [file, `${program}/${path.basename(file, '.ts')}.mjs`]),
  ),
};

/** The file to start for an entry point: its bundle, or the source of one that has none. */
export const startOf = (main: string): string => {
  const bundle = BUNDLES[main];
  return bundle === undefined ? path.join(ROOT, main) : path.join(BUILT, bundle);
};

let built: Promise<unknown> | undefined;
/**
 * Waits until they are there, and the console that the hub shows. The main process of a run builds them for
 * all of its workers.
 */
export const programsBuilt = (): Promise<unknown> =>
  (built ??= process.env.VITEST_POOL_ID === undefined ? buildPrograms() : onDemand('programs'));

/** Unless they are made of this source already. */
async function buildPrograms(): Promise<void> {
  const made = digestOf();
  if (existsSync(CONSOLE) && existsSync(MARK) && readFileSync(MARK, 'utf8') === made) return;
  rmSync(MARK, { force: true });
  const build = path.join(ROOT, 'packaging/build.mjs');
  const also = Object.entries(ALSO).flatMap(([file, program]) => ['--also', `${program}:${file}`]);
  await promisify(execFile)(process.execPath, [build, 'site', 'hq', '--out', BUILT, ...also]);
  writeFileSync(MARK, made);
}

function digestOf(): string {
  const files = MADE_OF.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const own = [...Object.keys(ALSO), 'package-lock.json'].map((file) => path.join(ROOT, file));
  const lines = [...files.sort(), ...own].map(
    (file) => `${path.relative(ROOT, file)} ${hash('sha256', readFileSync(file))}\n`,
  );
  return hash('sha256', lines.join(''));
}
