// The OCI image of headquarters: read by other tools than those that wrote it, and run in a container.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FILLED_EVENTS, sendEvents } from '../hq/backup/rig.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { request, until } from '../support/request.ts';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { ROOT, WORK } from './machine.ts';
import type { Built } from './packages.ts';

const FOLDER = path.join(ROOT, '.fieldline/image');
const BUNDLE = path.join(WORK, 'image');
const RUNTIME = path.join(WORK, 'runc');
const NAME = 'fieldline-image';

/** What `umoci unpack` makes for `runc`, as far as it is changed here. */
interface Bundle {
  process: { terminal: boolean; env: string[]; user: { uid: number } };
  mounts: { type: string; destination: string }[];
  linux: { namespaces: { type: string }[] };
}

const said = (command: string, ...argv: string[]): string =>
  execFileSync(command, argv, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const inside = (...argv: string[]): string => said('runc', '--root', RUNTIME, 'exec', NAME, ...argv);

export async function image(checks: Checks, { version }: Built): Promise<void> {
  await checks.check('the image of headquarters is built of its package', () => {
    said(process.execPath, path.join(ROOT, 'packaging/image/main.ts'));
  });
  await checks.check('skopeo reads it, and makes of it what docker loads', () => {
    const archive = `oci-archive:${path.join(FOLDER, readdirSync(FOLDER).find((name) => name.endsWith('.oci.tar')) ?? '')}`;
    const seen = JSON.parse(said('skopeo', 'inspect', archive)) as { Labels: Record<string, string> };
    expectEqual(seen.Labels['org.opencontainers.image.version'], version, 'version');
    const docker = path.join(WORK, 'docker.tar');
    rmSync(docker, { force: true });
    said('skopeo', 'copy', '--insecure-policy', archive, `docker-archive:${docker}:fieldline-hq:${version}`);
    expectEqual(existsSync(docker), true, 'archive for docker');
    rmSync(docker);
  });
  await inContainer(checks, version);
}

async function inContainer(checks: Checks, version: string): Promise<void> {
  const server = await startTestPostgres();
  const database = await createDatabase(server.url);
  const port = await freePort();
  rmSync(BUNDLE, { recursive: true, force: true });
  try {
    await checks.check('in a container it serves, answers its command line, and ends when told', async () => {
      said('umoci', 'unpack', '--image', `${path.join(FOLDER, 'fieldline-hq')}:${version}`, BUNDLE);
      const user = fitBundle([`DATABASE_URL=${database.url}`, `CORE_LISTEN=127.0.0.1:${port}`]);
      expectEqual(user, 10_001, 'user');
      const container = spawn('runc', ['--root', RUNTIME, 'run', NAME], { cwd: BUNDLE, stdio: 'ignore' });
      const ended = once(container, 'exit');
      const url = `http://127.0.0.1:${port}`;
      await until('the hub is ready', async () => {
        if (container.exitCode !== null) throw new Error(`the container ended with ${container.exitCode}`);
        return request({ url, method: 'GET', path: '/readyz' }).then(
          ({ status }) => status === 200,
          () => false,
        );
      });
      expectMatch(inside('fieldline-hq', 'status'), /ALL IS WELL/, 'status');
      const added = inside('fieldline-hq', 'site', 'add', 's1', '--tenant', 'acme');
      const [, keyId, secret] = /(site-[^\s:]+):(fls_\S+)/.exec(added) ?? [];
      if (!keyId || !secret) throw new Error(`no key in what "site add" printed: ${added}`);
      await sendEvents(url, { keyId, secret });
      const backup = inside('fieldline-hq', 'backup', '/var/lib/fieldline-hq/b');
      expectMatch(backup, new RegExp(`with ${FILLED_EVENTS} events`), 'backup');
      said('runc', '--root', RUNTIME, 'kill', NAME, 'TERM');
      expectEqual(await ended, [0, null], 'end');
    });
  } finally {
    spawnSync('runc', ['--root', RUNTIME, 'delete', '--force', NAME]);
    await database.drop();
    await server.stop();
    for (const folder of [BUNDLE, RUNTIME]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The network is that of this machine, and folders of the image stand for volumes. @returns the user */
function fitBundle(env: readonly string[]): number {
  const file = path.join(BUNDLE, 'config.json');
  const bundle = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
  bundle.process.terminal = false;
  bundle.process.env.push(...env);
  bundle.mounts = bundle.mounts.filter(
    ({ type, destination }) => type !== 'cgroup' && !destination.startsWith('/var/'),
  );
  bundle.linux.namespaces = bundle.linux.namespaces.filter(({ type }) => type !== 'network');
  writeFileSync(file, JSON.stringify(bundle));
  return bundle.process.user.uid;
}
