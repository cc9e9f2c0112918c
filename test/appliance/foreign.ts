// The arm64 package, run by an emulator of its processor.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../support/process.ts';
import { request, until } from '../support/request.ts';
import { type Checks, expectEqual } from './checks.ts';
import { WORK } from './machine.ts';
import type { Built } from './packages.ts';

export async function foreignArchitecture(checks: Checks, built: Built): Promise<void> {
  const root = path.join(WORK, 'arm64');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  await checks.check('the arm64 package starts under an emulator and passes its own check', async () => {
    const base = path.join(WORK, 'arm64.tar');
    // Only unpacked: nothing of the other architecture runs while it is made.
    if (!existsSync(base))
      execFileSync(
        'mmdebstrap',
        [
          '--variant=extract',
          '--architectures=arm64',
          '--include=libc6,libstdc++6,libgcc-s1',
          'bookworm',
          base,
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
    execFileSync('tar', ['-xf', base, '-C', root, '--exclude=./dev/*']);
    execFileSync('dpkg-deb', ['-x', built.file('fieldline-site', 'arm64'), root]);
    const lib = path.join(root, 'usr/lib/fieldline-site');
    const data = path.join(root, 'data');
    const port = await freePort();
    const env = {
      PATH: '/usr/bin:/bin',
      CORE_LISTEN: `127.0.0.1:${port}`,
      CORE_DATA_DIR: data,
      CORE_LOG_LEVEL: 'warn',
    };
    const emulated = ['-L', root, path.join(lib, 'node'), path.join(lib, 'main.mjs')];
    const site = spawn('qemu-aarch64-static', [...emulated, 'run'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    process.once('exit', () => site.kill('SIGKILL'));
    try {
      await until(
        'it is ready',
        async () =>
          (
            await request({
              url: `http://127.0.0.1:${port}`,
              method: 'GET',
              path: '/readyz',
              timeoutMs: 5_000,
            }).catch(() => null)
          )?.status === 200,
        120_000,
      );
      const { status, stdout } = spawnSync('qemu-aarch64-static', [...emulated, 'check'], {
        env,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expectEqual([status, status === 0 ? '' : stdout], [0, ''], 'check');
    } finally {
      site.kill('SIGKILL');
    }
  });
  rmSync(root, { recursive: true, force: true });
}
