// An upgrade is unpacked before the service is restarted: the running version goes on without its files.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NODE_ENV } from '../support/command.ts';
import { freePort } from '../support/process.ts';
import { adminCall, request, until } from '../support/request.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
let dir: string;
beforeEach(() => {
  // The bundle finds its native modules in the folders above it.
  mkdirSync(path.join(ROOT, '.fieldline'), { recursive: true });
  dir = mkdtempSync(path.join(ROOT, '.fieldline', 'unpacked-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test(
  'what is asked of a site for the first time is answered when its files are gone',
  { timeout: 60_000 },
  async () => {
    execFileSync(process.execPath, [path.join(ROOT, 'packaging/build.mjs'), 'site', '--out', dir], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [port, dataDir, program] = [await freePort(), path.join(dir, 'data'), path.join(dir, 'site')];
    const site = spawn(process.execPath, [path.join(program, 'main.mjs'), 'run'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...NODE_ENV,
        CORE_INSTANCE: 'site-1',
        CORE_LISTEN: `127.0.0.1:${port}`,
        CORE_DATA_DIR: dataDir,
        CORE_LOG_LEVEL: 'warn',
      },
    });
    const ended = once(site, 'exit');
    try {
      const url = `http://127.0.0.1:${port}`;
      await until('it is ready', async () => {
        if (site.exitCode !== null) throw new Error('the site ended');
        return (await request({ url, method: 'GET', path: '/readyz' }).catch(() => null))?.status === 200;
      });
      rmSync(program, { recursive: true });
      const adminKey = readFileSync(path.join(dataDir, 'secrets', 'admin-key'), 'utf8').trim();
      const paths = [
        '/',
        '/status.js',
        '/status.css',
        '/metrics',
        '/openapi.json',
        '/api/core/site/status',
      ].concat(['/docs', '/docs/start.js', '/docs/page.css', '/docs/viewer.js', '/docs/viewer.css']);
      const answers = await Promise.all(
        paths.map(async (one) => [one, (await adminCall(url, adminKey, 'GET', one)).status]),
      );
      expect(answers).toEqual(paths.map((one) => [one, 200]));
    } finally {
      site.kill('SIGTERM');
      await ended;
    }
  },
);
