// A hub with something in it, its backup, and where that goes.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { readArchive, writeArchive } from '../../../common/archive.ts';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import { type, type Typed } from '../../support/command.ts';
import { startHubProgram } from '../../support/deployment.ts';
import { clientOf, createDatabase } from '../../support/postgres.ts';
import { type Program, Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../../support/request.ts';

/** A database and the data folder beside it. */
export interface Place {
  url: string;
  dataDir: string;
}

const TABLES = `select count(*)::int as count from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')`;

export class BackupRig {
  readonly scene: Scene;
  readonly hub: Program;
  readonly url: string;
  /** Where the backup goes. */
  readonly file: string;
  readonly #server: string | undefined;

  private constructor(of: { scene: Scene; hub: Program; url: string; server: string | undefined }) {
    this.scene = of.scene;
    this.hub = of.hub;
    this.url = of.url;
    this.file = path.join(of.scene.dir, 'hub.backup');
    this.#server = of.server;
  }

  /** @param server another one than that of the test run */
  static async start(scene = new Scene(), server?: string): Promise<BackupRig> {
    const url = await databaseOf(scene, server);
    return new BackupRig({ scene, hub: await startHubProgram(scene, url), url, server });
  }

  get here(): Place {
    return { url: this.url, dataDir: this.hub.options.dataDir };
  }

  database(): Promise<string> {
    return databaseOf(this.scene, this.#server);
  }

  async elsewhere(): Promise<Place> {
    return { url: await this.database(), dataDir: path.join(this.scene.dir, 'elsewhere') };
  }

  command(where: Place, argv: readonly string[], env: Record<string, string> = {}): Promise<Typed> {
    return type('hq/main.ts', argv, {
      CORE_DATA_DIR: where.dataDir,
      DATABASE_URL: where.url,
      CORE_DOC_DIR: path.join(this.scene.dir, 'docs'),
      CORE_LOG_LEVEL: 'fatal',
      ...env,
    });
  }

  /** A site, whose secret is sealed, its events, and a rule of all that COPY has to escape. */
  async fill(): Promise<SigningKey> {
    const site = { instance: 's1', tenants: ['acme', '集团'] };
    const key = jsonOf<SigningKey>(expectStatus(await this.hub.api('POST', '/api/core/sites', site), 201));
    const action = { kind: 'notify', message: '塔吊 \N', channels: ['inbox'] };
    const rule = {
      tenant_code: 'acme',
      name: 'a "rule" with all \ of it, \N \.',
      kind: 'response',
      body: { priority: 1, enabled: true, match: {}, action },
    };
    expectStatus(await this.hub.api('POST', '/api/core/objects/rules', rule), 201);
    await sendEvents(this.hub.url, key);
    return key;
  }

  /** Writes the backup again, each file as `change` makes it; null leaves it out. */
  async rewrite(change: (name: string, text: Buffer) => Buffer | null): Promise<void> {
    const held = await filesIn(this.file);
    rmSync(this.file);
    const entries = held.flatMap(({ name, text }) => {
      const made = change(name, text);
      return made === null ? [] : [{ name, text: made.toString('utf8') }];
    });
    await writeArchive(this.file, entries, 0);
  }
}

/** How many events `fill` has the site send. */
export const FILLED_EVENTS = 3;

/** What a site sends of its first events. */
export async function sendEvents(url: string, key: SigningKey): Promise<void> {
  const at = Date.UTC(2026, 10, 24);
  const items = Array.from({ length: FILLED_EVENTS }, (_, n) => ({
    origin_id: n + 1,
    received_at: at + n,
    tenant_code: 'acme',
    idempotency_key: `k${n + 1}`,
    type: 'vehicle.intrusion',
    kind: 'alert',
    source: 'video',
    is_test: false,
    doc: {},
  }));
  const body = JSON.stringify({
    protocol: PROTOCOL,
    version: '0.1.0',
    instance: 's1',
    epoch: crypto.randomUUID(),
    head: FILLED_EVENTS,
    oldest: 0,
    cursor: { from: 0, to: FILLED_EVENTS },
    items,
  });
  const sent = await signedCall({ url, key, method: 'POST', path: '/api/core/uplink/events', body });
  const answer = jsonOf<{ accepted: number }>(expectStatus(sent, 200));
  if (answer.accepted !== FILLED_EVENTS) throw new Error(`not all was taken: ${JSON.stringify(answer)}`);
}

async function databaseOf(scene: Scene, server?: string): Promise<string> {
  const made = await createDatabase(server);
  scene.onClose(() => made.drop());
  return made.url;
}

export async function filesIn(archive: string): Promise<{ name: string; text: Buffer }[]> {
  const held: { name: string; text: Buffer }[] = [];
  await readArchive(archive, async (name, _size, parts) => {
    const kept: Buffer[] = [];
    for await (const part of parts) kept.push(part);
    held.push({ name, text: Buffer.concat(kept) });
  });
  return held;
}

export async function query<T>(at: string, sql: string): Promise<T[]> {
  const client = clientOf(at);
  await client.connect();
  return client
    .query<never>(sql)
    .then(({ rows }) => rows as T[])
    .finally(() => client.end());
}

export const tablesIn = async (at: string): Promise<number> =>
  (await query<{ count: number }>(at, TABLES))[0]?.count ?? -1;

/** Every row of every table, but for what a start writes, the epoch, and that it was restored. */
export async function contentOf(at: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    at,
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
     and relkind = 'r' order by relname`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const without = name === 'store_facts' ? ` where name not in ('epoch', 'probe', 'restored')` : '';
    content[name] = (await query<{ row: string }>(at, `select t::text as row from "${name}" t${without}`))
      .map(({ row }) => row)
      .sort();
  }
  return content;
}
