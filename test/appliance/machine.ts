// A Debian machine of its own: a root made once, copied for each run, booted with its own systemd.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/request.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const WORK = path.join(ROOT, '.fieldline', 'appliance');
/** Debian 12 with everything, Debian 13 for what its systemd says. */
export type Suite = 'bookworm' | 'trixie';
/**
 * What the packages and the test need beside the smallest system; fetched once, so that the installation
 * itself needs no network.
 */
const INCLUDE = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'adduser',
  'ca-certificates',
  'libstdc++6',
  'init-system-helpers',
];
const MORE: Record<Suite, string[]> = { bookworm: ['postgresql', 'zsh', 'fish'], trixie: [] };
const CLEAN = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
const COMMAND_MS = 120_000;
const BOOT_MS = 180_000;
/** Both ends of the cable between this machine and that one; a /30 that nobody else is likely to use. */
const [HERE, THERE] = ['10.198.77.1', '10.198.77.2'];

export interface Ran {
  code: number;
  out: string;
}

/** The Debian root as an archive, made by mmdebstrap when it is not there yet. */
export function baseArchive(suite: Suite): string {
  const packages = [...INCLUDE, ...MORE[suite]].join(',');
  // One of other packages is another one.
  const archive = path.join(WORK, `${suite}-${hash('sha256', packages, 'hex').slice(0, 12)}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(WORK, { recursive: true });
  execFileSync(
    'mmdebstrap',
    ['--variant=minbase', `--include=${packages}`, suite, `${archive}.partial.tar`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  execFileSync('mv', [`${archive}.partial.tar`, archive]);
  return archive;
}

export class Machine {
  readonly dir: string;
  /**
   * Its address, as seen from here: it has a network of its own, so that no port of this machine is in its
   * way.
   */
  readonly address = THERE;
  readonly #suite: Suite;
  #init: number | null = null;
  #container: ChildProcess | null = null;

  constructor(name: string, suite: Suite = 'bookworm') {
    this.dir = path.join(WORK, name);
    this.#suite = suite;
  }

  unpack(): void {
    this.remove();
    mkdirSync(this.dir, { recursive: true });
    execFileSync('tar', ['-xf', baseArchive(this.#suite), '-C', this.dir, '--numeric-owner']);
  }

  /** Boots and waits until systemd has started everything. */
  async boot(): Promise<void> {
    const near = `ve-${path.basename(this.dir)}`;
    // After a power cut the kernel takes the cable away when it comes to it; the next boot does not wait for
    // that.
    spawnSync('ip', ['link', 'delete', near]);
    const container = spawn(
      'systemd-nspawn',
      [
        '-D',
        this.dir,
        '--boot',
        '--register=no',
        '--keep-unit',
        '--resolv-conf=off',
        '--link-journal=no',
        '--console=read-only',
        '--network-veth',
        `--machine=${path.basename(this.dir)}`,
      ],
      { stdio: 'ignore' },
    );
    this.#container = container;
    const init = await until('the machine has an init', async () => {
      if (container.exitCode !== null) throw new Error(`systemd-nspawn ended with ${container.exitCode}`);
      return childrenOf(container.pid ?? 0).find(isInit) ?? null;
    });
    this.#init = init;
    await until('the machine has a cable', async () => {
      const far = spawnSync('nsenter', [...networkOf(init), 'ip', 'link', 'show', 'host0'], {
        stdio: 'ignore',
      });
      return far.status === 0 && existsSync(`/sys/class/net/${near}`);
    });
    connect(near, init);
    await until(
      'the machine is up',
      async () => {
        const { out } = this.run('systemctl', 'is-system-running');
        return /^(?:running|degraded)/.test(out);
      },
      BOOT_MS,
    );
  }

  /**
   * Runs a command in the root of the machine that is not running: no systemd is there. @throws Error when it
   * fails
   */
  mustWhileOff(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(
      'systemd-nspawn',
      [
        '-D',
        this.dir,
        '--quiet',
        '--pipe',
        '--register=no',
        '--keep-unit',
        '--resolv-conf=off',
        '--link-journal=no',
        `--setenv=DEBIAN_FRONTEND=${CLEAN.DEBIAN_FRONTEND}`,
        command,
        ...args,
      ],
      { encoding: 'utf8', timeout: COMMAND_MS },
    );
    if (status !== 0)
      throw new Error(
        `${command} ${args.join(' ')} ended with ${status ?? 'a signal'}: ` +
          `${stdout.slice(-1_000)}${stderr.slice(-1_000)}`,
      );
    return stdout;
  }

  /** Runs a command inside, as root. */
  run(command: string, ...args: string[]): Ran {
    if (this.#init === null) throw new Error('the machine is not running');
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['-t', String(this.#init), '-m', '-u', '-i', '-n', '-p', '-r', '-w', '--', command, ...args],
      { encoding: 'utf8', env: CLEAN, timeout: COMMAND_MS },
    );
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

  /** Puts a file into root's home. */
  carry(file: string, name: string): void {
    copyFileSync(file, path.join(this.dir, 'root', name));
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
  }

  /** Everything stops between two instructions, as when the plug is pulled. */
  async cutPower(): Promise<void> {
    const container = this.#container;
    if (!container) return;
    this.#init = null;
    this.#container = null;
    if (container.exitCode !== null || container.signalCode !== null) return;
    const gone = once(container, 'exit');
    end(container.pid ?? 0);
    await gone;
  }

  /** Takes everything away, also what a run that was killed has left. */
  remove(): void {
    for (const pid of processes().filter((one) =>
      commandOf(one).startsWith(`systemd-nspawn -D ${this.dir} `),
    ))
      end(pid);
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    for (const at of mounts.filter((one) => one.startsWith(`${this.dir}/`)).reverse())
      execFileSync('umount', ['-l', at]);
    rmSync(this.dir, { recursive: true, force: true });
    rmSync(path.join(WORK, `${path.basename(this.dir)}.img`), { force: true });
  }
}

const networkOf = (init: number): string[] => ['-t', String(init), '-n'];

/** Plugs the cable in: the near end by its name, the far end in the network of `init`. */
function connect(near: string, init: number): void {
  const there = [...networkOf(init), 'ip'];
  execFileSync('ip', ['address', 'add', `${HERE}/30`, 'dev', near]);
  execFileSync('ip', ['link', 'set', near, 'up']);
  execFileSync('nsenter', [...there, 'address', 'add', `${THERE}/30`, 'dev', 'host0']);
  execFileSync('nsenter', [...there, 'link', 'set', 'host0', 'up']);
}

/** The init of a process namespace takes all of its processes with it. */
function end(container: number): void {
  for (const pid of [...childrenOf(container), container]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
  }
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const commandOf = (pid: number): string => ofProcess(pid, 'cmdline').replaceAll('\0', ' ');

const childrenOf = (pid: number): number[] =>
  processes().filter((one) => Number(/^PPid:\s+(\d+)/m.exec(ofProcess(one, 'status'))?.[1]) === pid);

/** The first process of a process namespace of its own; those that set it up are not. */
const isInit = (pid: number): boolean => /^NSpid:\s+\d+\s+1$/m.test(ofProcess(pid, 'status'));

/** A file of a process; '' when it has ended. */
function ofProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as { code?: string }).code ?? '')) return '';
    throw error;
  }
}
