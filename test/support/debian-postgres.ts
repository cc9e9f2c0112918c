// PostgreSQL as Debian packages it, with its tools, where it is installed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clientOf } from './postgres.ts';
import { freePort } from './process.ts';
import { until } from './request.ts';

const VERSIONS = '/usr/lib/postgresql';

/** Folder of the newest version that has server and tools; null where there is none. */
export function debianTools(): string | null {
  const found = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((bin) =>
      ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((one) => existsSync(`${bin}/${one}`)),
    );
  return found ?? null;
}

/** A server of its own of that version, under Debian's user for it where this is root. */
export async function startDebianPostgres(
  tools: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-debian-'));
  const account = process.getuid?.() === 0 ? accountOf('postgres') : null;
  if (account) chownSync(dir, account.uid, account.gid);
  const data = path.join(dir, 'data');
  const env = { PATH: `${tools}:/usr/bin:/bin`, LC_ALL: 'C' };
  const init = ['-D', data, '-U', 'fieldline', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  execFileSync(path.join(tools, 'initdb'), init, { ...account, cwd: '/', env, stdio: 'pipe' });
  const port = await freePort();
  const flags = ['-D', data, '-p', String(port), '-k', '', '-h', '127.0.0.1', '-F'];
  const server = spawn(path.join(tools, 'postgres'), flags, { ...account, cwd: '/', env, stdio: 'ignore' });
  const gone = once(server, 'exit');
  const url = `postgresql://fieldline:unasked@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    server.kill('SIGQUIT');
    await gone;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await until('the server answers', async () => {
      if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
      const client = clientOf(url);
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
