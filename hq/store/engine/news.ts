// Hears what any process of the database changes: keys, and what a site must be told. Triggers announce it
// (by-hand.ts), in the transaction that changes it. A connection of its own: one of the pool would be missed
// there.
import { hash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { KeyNews } from '../../../common/core/key/port.ts';
import type { Logger } from '../../../common/log.ts';
import type { SiteNews } from '../../receiver/contact/port.ts';
import { requireWritable, ServerClient, Servers } from './servers.ts';

export const NEWS_CHANNEL = 'fieldline_news';
/**
 * The connection announces to itself so often, ms: what comes back proves that everything announced before
 * has come too. A pool between here and Postgres that hands one connection to many does not pass this.
 */
const BEAT_MS = 500;
/** What was heard is taken for all that there is for so long after the last proof was sent for, ms. */
const PROVEN_MS = 2_000;
const RECONNECT_MS = 1_000;
const ANSWER_MS = 2_000;
/** One that said nothing for so long is taken for gone, s; a live one announces every `BEAT_MS`. */
const ALIVE_SECONDS = 10;

const NAME = 'fieldline-hq news';
/** What the hubs of a database must have in common: the folder of evidence, the place of originals. */
export type SharedPlace = 'evidence' | 'originals';
/** Of a name Postgres keeps 63 bytes. */
const shown = (place: SharedPlace, mark: string): string =>
  `${place[0] ?? ''}=${hash('sha256', mark).slice(0, 16)}`;
/** Under which name the connection of a hub stands at the server, by the places that it has. */
const nameOf = (places: ReadonlyMap<SharedPlace, string>): string =>
  [NAME, ...[...places].map(([place, mark]) => shown(place, mark))].join(' ');

type Listener = (name: string | null) => void;

/** Invariant: while `current()`, every change committed more than `PROVEN_MS` ago has been told. */
export class HubNews implements KeyNews, SiteNews {
  #servers: Servers;
  #log: Logger;
  #client: ServerClient | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #told: Record<'key' | 'site', Set<Listener>> = { key: new Set(), site: new Set() };
  /** Own clock, ms, at which the last announcement that came back was sent. */
  #provenAt = -Infinity;
  /** The announcement that is awaited, unlike that of any other process. */
  #beat = '';
  /** The marks of the places here that are those of the database. */
  #places = new Map<SharedPlace, string>();

  /** @param url of the database, as `DATABASE_URL` */
  constructor(url: string, log: Logger) {
    this.#servers = new Servers(url);
    this.#log = log;
  }

  current(): boolean {
    return performance.now() - this.#provenAt <= PROVEN_MS;
  }

  onKey(told: Listener): void {
    this.#told.key.add(told);
  }

  onSite(told: Listener): void {
    this.#told.site.add(told);
  }

  start(): void {
    this.#running = true;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#provenAt = -Infinity;
    const client = this.#client;
    this.#client = null;
    if (client) await this.#end(client);
  }

  /** Shows the others that this hub runs with the place of this mark. */
  async show(place: SharedPlace, mark: string): Promise<void> {
    if (this.#places.get(place) === mark) return;
    this.#places.set(place, mark);
    const client = this.#client;
    try {
      await client?.query(`select set_config('application_name', $1, false)`, [nameOf(this.#places)]);
    } catch (error) {
      // The one that is made in its place has the name from its beginning.
      if (client) this.#lost(client, error as Error);
    }
  }

  async #connect(): Promise<void> {
    const client = new ServerClient(this.#servers, {
      application_name: nameOf(this.#places),
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    this.#client = client;
    let sentAt = 0;
    const lost = (error?: Error): void => this.#lost(client, error);
    const beat = async (): Promise<void> => {
      this.#beat = `beat ${randomUUID()}`;
      sentAt = performance.now();
      // One that was demoted goes on passing on announcements, but nobody writes there any more.
      await requireWritable(client);
      await client.query(`select pg_notify('${NEWS_CHANNEL}', $1)`, [this.#beat]);
      if (this.#client === client) this.#timer = setTimeout(() => void beat().catch(lost), BEAT_MS);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload = '' }) => {
      if (this.#client !== client) return;
      if (payload === this.#beat) this.#provenAt = sentAt;
      else this.#hear(payload);
    });
    try {
      await client.connect();
      // What is announced here need not outlast anything, nor wait for the disk or a standby.
      await client.query('set synchronous_commit = off');
      await client.query(`listen ${NEWS_CHANNEL}`);
      await beat();
    } catch (error) {
      lost(error as Error);
    }
  }

  #hear(payload: string): void {
    const end = payload.indexOf(' ');
    const [kind, name] = [payload.slice(0, end), payload.slice(end + 1)];
    if (kind === 'key' || kind === 'site') for (const told of this.#told[kind]) told(name);
  }

  /** What was read before may have changed unheard. */
  #lost(client: ServerClient, error: Error | undefined): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#provenAt = -Infinity;
    clearTimeout(this.#timer);
    for (const told of [...this.#told.key, ...this.#told.site]) told(null);
    this.#servers.doubt();
    void this.#end(client);
    if (!this.#running) return;
    this.#log.warn({ err: error }, 'the connection that hears of changes was lost; it is made anew');
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  async #end(client: ServerClient): Promise<void> {
    try {
      await client.end();
    } catch (error) {
      this.#log.debug({ err: error }, 'the connection that hears of changes did not close');
    }
  }
}

/** Whether another hub of the database runs with the place of this mark. */
export async function runsWith(pool: pg.Pool, place: SharedPlace, mark: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like $1
       and state_change > clock_timestamp() - make_interval(secs => $2)`,
    [`${NAME}% ${shown(place, mark)}%`, ALIVE_SECONDS],
  );
  return rowCount !== null && rowCount > 0;
}
