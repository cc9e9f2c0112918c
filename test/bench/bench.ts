// What the parts share: a folder, the workers, the bare figures, a site with cameras.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WATERMARK_MS } from '../../common/core/event/watermark.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { freePort } from '../support/process.ts';
import type { DiskJob, DiskResult } from './disk.ts';
import type { EchoSpent } from './fleet/echo.ts';
import type { CalmJob, ContactJob, FleetResult, HeldJob, StormJob } from './fleet/load.ts';
import { Worker } from './jobs.ts';
import type { LoadJob, LoadResult, PostJob } from './load.ts';
import { Program, type ProgramOptions, ROOT } from './program.ts';

export const CLIENTS = 64;
/** Events in the store that footprint, pull and uplink begin with. */
export const STORED = 100_000;
/** A key for servers that do not check it. */
const NOBODY: SigningKey = { keyId: 'node-bench-nobody', secret: 'fln_nobody' };

/** What the command line asks for besides parts. */
export interface BenchOptions {
  /** Lists what the quality run of `policy` got wrong. */
  explain?: boolean;
  /** Chunks of the speed run of `policy`. */
  chunks?: number;
  /** A folder of questions that `policy` is asked beside its own. */
  questions?: string;
  /** Events of the season in `lists`, of the year in `years`, of the storm in `fleet`. */
  events?: number;
  /** MiB of pictures that wait in `uplink`. */
  pictures?: number;
  /** Sites of `fleet`; otherwise 10, 100 and 1,000. */
  sites?: number;
  /** How long `soak` goes on. */
  minutes?: number;
}

export class Bench {
  readonly dir: string;
  readonly options: BenchOptions;
  #workers: Worker[] = [];
  #programs: Program[] = [];
  #load: Worker | null = null;
  #reader: Worker | null = null;
  #disk: Worker | null = null;
  #fleet: Worker | null = null;
  #fleetEcho: Worker | null = null;
  #echoPort: number | null = null;
  #runs = 0;
  #stored: Promise<StoredSite> | null = null;

  constructor(options: BenchOptions = {}) {
    this.options = options;
    // In the checkout: a temporary folder may lie in memory, where a sync costs nothing.
    const parent = path.join(ROOT, '.fieldline');
    mkdirSync(parent, { recursive: true });
    this.dir = mkdtempSync(path.join(parent, 'bench-'));
  }

  #worker(file: string): Worker {
    const worker = new Worker(file);
    this.#workers.push(worker);
    return worker;
  }

  load<R = LoadResult>(job: LoadJob): Promise<R> {
    this.#load ??= this.#worker('./load.ts');
    return this.#load.run<R>(job);
  }

  /** Calls of many sites, from a process of their own. */
  fleet(job: CalmJob | ContactJob | HeldJob | StormJob): Promise<FleetResult> {
    this.#fleet ??= this.#worker('./fleet/load.ts');
    return this.#fleet.run<FleetResult>(job);
  }

  /** Where the bare server of a fleet is, and what it has spent so far. */
  fleetEcho(): Promise<EchoSpent> {
    this.#fleetEcho ??= this.#worker('./fleet/echo.ts');
    return this.#fleetEcho.run<EchoSpent>({});
  }

  disk(kind: DiskJob['kind'], forMs: number): Promise<DiskResult> {
    this.#disk ??= this.#worker('./disk.ts');
    return this.#disk.run<DiskResult>({ kind, forMs, dir: this.dir } satisfies DiskJob);
  }

  /** GETs from a process of their own, beside whatever the generator does. */
  reader(
    port: number,
    target: string,
    headers: Record<string, string>,
    measureMs: number,
  ): Promise<LoadResult> {
    this.#reader ??= this.#worker('./load.ts');
    return this.#reader.run<LoadResult>({ kind: 'get', port, target, headers, measureMs } satisfies LoadJob);
  }

  /** The bare echo server under the same generator. */
  async echo(clients: number, measureMs: number): Promise<LoadResult> {
    this.#echoPort ??= await this.#worker('./echo.ts').run<number>({});
    return this.load({
      kind: 'post',
      port: this.#echoPort,
      clients,
      measureMs,
      warmupMs: 500,
      built: clients * 32,
      repeat: true,
      events: { batch: 1, keys: 'sequential', cameras: [NOBODY], run: 'echo' },
    });
  }

  /** Events to a site; every answer must be 2xx. @param built requests made ahead */
  async post(
    site: CameraSite,
    options: {
      clients: number;
      batch: number;
      keys: 'sequential' | 'uuid';
      measureMs: number;
      built: number;
      perSecond?: number;
    },
  ): Promise<LoadResult> {
    const { clients, batch, keys, measureMs, built } = options;
    this.#runs += 1;
    const job: PostJob = {
      kind: 'post',
      port: site.program.port,
      clients,
      measureMs,
      warmupMs: 500,
      built,
      repeat: false,
      events: { batch, keys, cameras: site.cameras, run: `r${this.#runs}` },
      ...(options.perSecond === undefined ? {} : { perSecond: options.perSecond }),
    };
    const result = await this.load(job);
    if (Object.keys(result.refused).length > 0)
      throw new Error(`the site refused events: ${JSON.stringify(result.refused)}; ${site.program.said}`);
    return result;
  }

  /** Stores just `count` events in batches. */
  async fill(site: CameraSite, count: number): Promise<void> {
    const [batch, clients] = [500, 4];
    const { allAnswers } = await this.post(site, {
      clients,
      batch,
      keys: 'sequential',
      measureMs: 120_000,
      built: count / batch,
    });
    if (allAnswers * batch !== count) throw new Error(`${allAnswers * batch} of ${count} events were stored`);
  }

  folder(name: string): string {
    const dir = path.join(this.dir, name);
    mkdirSync(dir, { recursive: true });
    return dir;
  }

  async start(options: Omit<ProgramOptions, 'port'> & { port?: number }): Promise<Program> {
    const program = await Program.start({ ...options, port: options.port ?? (await freePort()) });
    this.#programs.push(program);
    return program;
  }

  /** Ends a program with the bench, also when a part fails. */
  own(program: Program): Program {
    this.#programs.push(program);
    return program;
  }

  /** A site on an own folder with a camera for each client. */
  async site(name: string, options: Partial<ProgramOptions> = {}): Promise<CameraSite> {
    const program = await this.start({ program: 'site', dir: this.folder(name), ...options });
    return { program, cameras: await registerCameras(program) };
  }

  /**
   * A copy of a folder whose program does not run; evidence files, which nobody changes, are the same ones.
   * @returns its path
   */
  copy(from: string, name: string): string {
    const copy = path.join(this.dir, name);
    const evidence = path.join(from, 'evidence');
    cpSync(from, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') && file !== evidence });
    if (existsSync(evidence)) execFileSync('cp', ['-al', evidence, copy]);
    // What is written here must not be on its way to the disk while something is measured.
    execFileSync('sync', ['-f', copy]);
    return copy;
  }

  /** A folder of its own with the store of STORED events. */
  async storedCopy(name: string): Promise<string> {
    const { dir } = await this.#storedSite();
    return this.copy(dir, name);
  }

  /** The cameras that every copy of the store knows. */
  async storedCameras(): Promise<SigningKey[]> {
    return (await this.#storedSite()).cameras;
  }

  #storedSite(): Promise<StoredSite> {
    this.#stored ??= (async () => {
      const site = await this.site('stored');
      await this.fill(site, STORED);
      await site.program.stop();
      await sleep(WATERMARK_MS); // younger events are not served
      return { dir: this.folder('stored'), cameras: site.cameras };
    })();
    return this.#stored;
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) worker.close();
    for (const program of this.#programs) await program.stop('SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export interface CameraSite {
  program: Program;
  cameras: SigningKey[];
}

interface StoredSite {
  dir: string;
  cameras: SigningKey[];
}

async function registerCameras(site: Program): Promise<SigningKey[]> {
  const cameras: SigningKey[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    cameras.push(
      await site.call<SigningKey>('POST', '/api/core/nodes', {
        tenant_code: 'T-BENCH',
        name: `Camera ${index}`,
      }),
    );
  }
  return cameras;
}
