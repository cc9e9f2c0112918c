// A site and the hub that it is joined to, for what measures the uplink.
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ChannelName, channelNames } from '../../common/uplink/wire.ts';
import type { Bench } from './bench.ts';
import { Program } from './program.ts';

export const INSTANCE = 'bench-site';

export interface EndsOptions {
  name: string;
  batch: number;
  databaseUrl: string;
  hubPort: number;
  siteDir: string;
  /** Variables of the site beside those of the uplink. */
  siteEnv?: Record<string, string>;
}

/** The site and the hub of one drain, each in a process of its own. */
export class Ends {
  #bench: Bench;
  #options: EndsOptions;
  #site: Program | null = null;
  #hub: Program | null = null;

  constructor(bench: Bench, options: EndsOptions) {
    this.#bench = bench;
    this.#options = options;
  }

  get #keyFile(): string {
    return path.join(this.#options.siteDir, 'uplink-key');
  }

  /** The hub gets to know the site, and goes away again. */
  async introduce(): Promise<void> {
    await this.startHub();
    await this.hub.ready();
    const { keyId, secret } = await this.hub.call<{ keyId: string; secret: string }>(
      'POST',
      '/api/core/sites',
      { instance: INSTANCE, tenants: ['T-BENCH'] },
    );
    writeFileSync(this.#keyFile, `${keyId}:${secret}\n`, { mode: 0o600 });
    await this.hub.stop();
  }

  async startSite(): Promise<void> {
    const { siteDir, hubPort, batch } = this.#options;
    this.#site = await this.#bench.start({
      program: 'site',
      dir: siteDir,
      env: {
        CORE_INSTANCE: INSTANCE,
        CORE_UPLINK_URL: `http://127.0.0.1:${hubPort}`,
        CORE_UPLINK_KEY_REF: `file:${this.#keyFile}`,
        CORE_UPLINK_BATCH: String(batch),
        ...this.#options.siteEnv,
      },
    });
  }

  /** Resolves as soon as the hub takes connections: the link is back. */
  async startHub(): Promise<void> {
    const { name, hubPort, databaseUrl } = this.#options;
    this.#hub = this.#bench.own(
      Program.spawn({
        program: 'hq',
        port: hubPort,
        dir: this.#bench.folder(`hub-${name}`),
        env: { DATABASE_URL: databaseUrl },
      }),
    );
    const deadline = performance.now() + 20_000;
    while (!(await accepts(hubPort))) {
      if (performance.now() > deadline) throw new Error(`the hub did not come up: ${this.#hub.said}`);
      await sleep(2);
    }
  }

  async kill(victim: 'site' | 'hq'): Promise<void> {
    if (victim === 'site') {
      await this.#site?.stop('SIGKILL');
      await this.startSite();
    } else {
      await this.#hub?.stop('SIGKILL');
      await this.startHub();
    }
  }

  get site(): Program {
    if (!this.#site) throw new Error('the site has not been started');
    return this.#site;
  }

  get hub(): Program {
    if (!this.#hub) throw new Error('the hub has not been started');
    return this.#hub;
  }

  siteMemory(): number {
    return this.#site?.memory().now ?? 0;
  }

  said(): string {
    return `site: ${this.#site?.said ?? ''}; hub: ${this.#hub?.said ?? ''}`;
  }

  async stop(): Promise<void> {
    await this.#site?.stop();
    await this.#hub?.stop();
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const finish = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/** How far the hub is with each channel of the one site. */
export async function positions(client: pg.Client): Promise<Record<ChannelName, number>> {
  const { rows } = await client.query<{ channel: ChannelName; cursor: string }>(
    'select channel, max(cursor) as cursor from sources group by channel',
  );
  const of = (name: ChannelName): number => Number(rows.find(({ channel }) => channel === name)?.cursor ?? 0);
  const [events, verdicts] = channelNames;
  return { events: of(events), verdicts: of(verdicts) };
}
