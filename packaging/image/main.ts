// npm run image: headquarters as an OCI image for this machine's architecture, in .fieldline/image: the
// smallest Debian that the program needs, and the Debian package on it. No registry of images is asked. Needs
// the package (npm run package -- hq), mmdebstrap, a mirror of Debian, and root.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { readPackageConfig } from '../deb/config.ts';
import { ROOT } from '../deb/source.ts';
import { imageConfig, NAME, RUN, STATE, USER } from './config.ts';
import { archiveLayout, folderLayer, writeLayout } from './layout.ts';

const OUT = path.join(ROOT, '.fieldline', 'image');
const SUITE = 'bookworm';
/** What the Node inside and calls to other hosts need beside the essential packages. */
const INCLUDE = ['ca-certificates', 'libstdc++6', 'tzdata'];
const LARGEST_ARCHIVE = 1 << 30;

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const architecture = said('dpkg', '--print-architecture');
  const file = path.join(ROOT, '.fieldline', 'packages', `${NAME}_${version}_${architecture}.deb`);
  if (!existsSync(file))
    throw new Error(`${path.relative(ROOT, file)} is not there: npm run package -- hq ${architecture}`);
  // As in the package, every file bears the time of the commit.
  const time = Number(said('git', 'log', '-1', '--format=%ct'));
  const layers = [
    readFileSync(debian(time)),
    execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: LARGEST_ARCHIVE }),
    await folderLayer([STATE, RUN], { owner: USER, time }),
  ];
  const created = new Date(time * 1000).toISOString();
  const folder = path.join(OUT, NAME);
  const digest = writeLayout(folder, {
    tag: version,
    layers,
    config: (digests) => imageConfig({ architecture, version, created, layers: digests }),
  });
  const archive = path.join(OUT, `${NAME}_${version}_${architecture}.oci.tar`);
  await archiveLayout(folder, archive, time);
  process.stdout.write(`${path.relative(ROOT, archive)} ${digest}\n`);
}

const said = (command: string, ...argv: string[]): string =>
  execFileSync(command, argv, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The Debian below the program, as an archive, made once for the same wishes. */
function debian(time: number): string {
  const user = `${NAME}:x:${USER}:${USER}:Fieldline:/nonexistent:/usr/sbin/nologin`;
  const argv = [
    '--variant=essential',
    `--include=${INCLUDE.join(',')}`,
    '--skip=output/dev',
    `--customize-hook=echo ${user} >> "$1/etc/passwd"`,
    `--customize-hook=echo ${NAME}:x:${USER}: >> "$1/etc/group"`,
    SUITE,
  ];
  const archive = path.join(OUT, `${SUITE}-${hash('sha256', argv.join(' '), 'hex').slice(0, 12)}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(OUT, { recursive: true });
  const partial = `${archive}.partial.tar`;
  execFileSync('mmdebstrap', [...argv, partial], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...readPackageConfig().environment, SOURCE_DATE_EPOCH: String(time) },
  });
  renameSync(partial, archive);
  return archive;
}

await main();
