// npm run test:appliance: the packages on a real Debian system, driven from outside. Needs root and the tools
// named below; run by hand.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { bombs } from './bombs.ts';
import { Checks } from './checks.ts';
import { debian13 } from './debian13.ts';
import { foreignArchitecture } from './foreign.ts';
import { image } from './image.ts';
import { Machine, ROOT, WORK } from './machine.ts';
import { memory } from './memory.ts';
import { observability } from './observability.ts';
import { type Built, builtPackages, packages } from './packages.ts';
import { siteLife } from './site-life.ts';
import { together } from './together.ts';

/** Command and the Debian package that has it. */
const TOOLS = {
  mmdebstrap: 'mmdebstrap',
  'systemd-nspawn': 'systemd-container',
  'dpkg-deb': 'dpkg',
  lintian: 'lintian',
  'qemu-aarch64-static': 'qemu-user-static',
  'x86_64-linux-gnu-strip': 'binutils',
  'aarch64-linux-gnu-strip': 'binutils-aarch64-linux-gnu',
  'mkfs.ext4': 'e2fsprogs',
  nsenter: 'util-linux',
  ip: 'iproute2',
  'systemd-analyze': 'systemd',
  promtool: 'prometheus',
  skopeo: 'skopeo',
  umoci: 'umoci',
  runc: 'runc',
};

/** Parts that need no machine of their own. */
const BARE = ['bombs', 'memory', 'observability'];

function missing(asked: readonly string[]): string[] {
  if (asked.length > 0 && asked.every((name) => BARE.includes(name))) return [];
  return Object.entries(TOOLS)
    .filter(([command]) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0)
    .map(([, name]) => name);
}

/** Machines that are there while their part runs. */
const machines = {
  site: new Machine('site'),
  together: new Machine('together'),
  debian13: new Machine('debian13', 'trixie'),
};
const PARTS: Record<string, (checks: Checks, built: Built) => Promise<void>> = {
  site: (checks, built) => siteLife(checks, machines.site, built),
  together: (checks, built) => together(checks, machines.together, built),
  debian13: (checks, built) => debian13(checks, machines.debian13, built),
  arm64: foreignArchitecture,
  observability,
  image,
  memory: (checks) => memory(checks),
  bombs: (checks) => bombs(checks),
};

async function main(asked: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error('run it as root: it boots a machine');
  const unknown = asked.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.join(', ')}: say ${Object.keys(PARTS).join(', ')} for those parts alone, with the ` +
        'packages that are there, or nothing for all',
    );
  const absent = missing(asked);
  if (absent.length > 0) throw new Error(`install these first: apt-get install ${absent.join(' ')}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(signal));
  mkdirSync(WORK, { recursive: true });
  const checks = new Checks();
  const built = asked.length > 0 ? builtPackages() : await packages(checks);
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (asked.length > 0 && !asked.includes(name)) continue;
      await checks.part(name, () => part(checks, built));
      // Two machines at once would share their control groups.
      await clear();
    }
  } finally {
    await clear();
  }
  checks.print();
  process.stdout.write(`files left in ${path.relative(ROOT, WORK)}: ${readdirSync(WORK).join(', ')}\n`);
  execFileSync('sync');
  return checks.failed === 0 ? 0 : 1;
}

async function clear(): Promise<void> {
  for (const machine of Object.values(machines)) {
    await machine.cutPower();
    machine.remove();
  }
}

/** An interrupted run leaves no machine behind. */
async function leave(signal: 'SIGINT' | 'SIGTERM'): Promise<never> {
  await clear();
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

process.exitCode = await main(process.argv.slice(2));
