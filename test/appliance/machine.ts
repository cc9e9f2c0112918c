// A Debian machine of its own: a root made once, copied for each run, booted with its own systemd.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/request.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const WORK = path.join(ROOT, '.fieldline', 'appliance');
const SUITE = 'bookworm';
/** What the packages and the test need beside the smallest system; fetched once, so that the installation itself needs no network. */
const INCLUDE = ['systemd', 'systemd-sysv', 'dbus', 'adduser', 'ca-certificates', 'libstdc++6', 'postgresql', 'init-system-helpers'];
const CLEAN = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
const COMMAND_MS = 120_000;

export interface Ran {
  code: number;
  out: string;
}

/** The Debian root as an archive, made by mmdebstrap when it is not there yet. */
export function baseArchive(): string {
  const archive = path.join(WORK, `${SUITE}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(WORK, { recursive: true });
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${INCLUDE.join(',')}`, SUITE, `${archive}.partial.tar`], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('mv', [`${archive}.partial.tar`, archive]);
  return archive;
}

export class Machine {
  readonly dir: string;
  #init: number | null = null;
  #container: ChildProcess | null = null;
  #mounts: string[] = [];

  constructor(name: string) {
    this.dir = path.join(WORK, name);
  }

  unpack(): void {
    this.remove();
    mkdirSync(this.dir, { recursive: true });
    execFileSync('tar', ['-xf', baseArchive(), '-C', this.dir, '--numeric-owner']);
  }

  /** Boots and waits until systemd has started everything. */
  async boot(): Promise<void> {
    const container = spawn('systemd-nspawn', ['-D', this.dir, '--boot', '--register=no', '--keep-unit', '--resolv-conf=off', '--link-journal=no', '--console=read-only', `--machine=${path.basename(this.dir)}`],
      { stdio: 'ignore' });
    this.#container = container;
    const init = await until('the machine has an init', async () => childrenOf(container.pid ?? 0)[0] ?? null);
    this.#init = init;
    await until('the machine is up', async () => {
      const { out } = this.run('systemctl', 'is-system-running');
      return /^(?:running|degraded)/.test(out);
    }, 60_000);
  }

  /** Runs a command inside, as root. */
  run(command: string, ...args: string[]): Ran {
    if (this.#init === null) throw new Error('the machine is not running');
    const { status, stdout, stderr } = spawnSync('nsenter', ['-t', String(this.#init), '-m', '-u', '-i', '-n', '-p', '-r', '-w', '--', command, ...args], { encoding: 'utf8', env: CLEAN, timeout: COMMAND_MS });
    return { code: status ?? -1, out: `${stdout}${stderr}` };
  }

  /** @throws Error with everything that the command said when it fails */
  must(command: string, ...args: string[]): string {
    const { code, out } = this.run(command, ...args);
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${out.slice(-2_000)}`);
    return out;
  }

  property(unit: string, name: string): string {
    return this.must('systemctl', 'show', unit, `--property=${name}`, '--value').trim();
  }

  read(file: string): string {
    return readFileSync(path.join(this.dir, file), 'utf8');
  }

  /** A small file system of its own at a folder of the machine that is not running. */
  mountSmall(target: string, mib: number): void {
    const image = path.join(WORK, `${path.basename(this.dir)}.img`);
    const at = path.join(this.dir, target);
    execFileSync('truncate', ['-s', `${mib}M`, image]);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    mkdirSync(at, { recursive: true });
    execFileSync('mount', ['-o', 'loop', image, at]);
    this.#mounts.push(at);
  }

  /** Everything stops between two instructions, as when the plug is pulled. */
  async cutPower(): Promise<void> {
    const container = this.#container;
    if (!container) return;
    this.#init = null;
    this.#container = null;
    const gone = once(container, 'exit');
    // The init of a process namespace takes all of its processes with it.
    for (const pid of childrenOf(container.pid ?? 0)) process.kill(pid, 'SIGKILL');
    container.kill('SIGKILL');
    await gone;
  }

  remove(): void {
    for (const at of this.#mounts.splice(0)) execFileSync('umount', ['-l', at]);
    rmSync(this.dir, { recursive: true, force: true });
    rmSync(path.join(WORK, `${path.basename(this.dir)}.img`), { force: true });
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((one) => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]) === pid;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT' || (error as { code?: string }).code === 'ESRCH') return false;
      throw error;
    }
  });
}
