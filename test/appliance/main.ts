// npm run test:appliance: the packages on a real Debian system, driven from outside. Needs root and the tools named below; run by hand.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Checks } from './checks.ts';
import { Machine, ROOT, WORK } from './machine.ts';
import { foreignArchitecture } from './foreign.ts';
import { siteLife } from './site-life.ts';
import { packages } from './packages.ts';

/** Command and the Debian package that has it. */
const TOOLS = {
  'mmdebstrap': 'mmdebstrap', 'systemd-nspawn': 'systemd-container', 'dpkg-deb': 'dpkg', 'lintian': 'lintian', 'qemu-aarch64-static': 'qemu-user-static',
  'x86_64-linux-gnu-strip': 'binutils', 'aarch64-linux-gnu-strip': 'binutils-aarch64-linux-gnu', 'mkfs.ext4': 'e2fsprogs', 'nsenter': 'util-linux', 'systemd-analyze': 'systemd',
};

function missing(): string[] {
  return Object.entries(TOOLS).filter(([command]) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0).map(([, name]) => name);
}

async function main(): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error('run it as root: it boots a machine');
  const absent = missing();
  if (absent.length > 0) throw new Error(`install these first: apt-get install ${absent.join(' ')}`);
  const checks = new Checks();
  const built = await packages(checks);
  const machine = new Machine('site');
  try {
    await siteLife(checks, machine, built);
  } finally {
    await machine.cutPower();
    machine.remove();
  }
  await foreignArchitecture(checks, built);
  checks.print();
  process.stdout.write(`files left in ${path.relative(ROOT, WORK)}: ${readdirSync(WORK).join(', ')}\n`);
  execFileSync('sync');
  return checks.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
