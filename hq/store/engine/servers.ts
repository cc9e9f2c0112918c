// The servers that an address names, of which one is the right one, as that which takes writes: after a
// failover it is another than before.
import pg from 'pg';
import { addressesOf, type Use } from './addresses.ts';

/** A server that does not answer within this is not the one; another may be. */
const PROBE_MS = 2_000;

/** The server may not be written to: it is a standby, or was made read-only. */
export class ServerReadOnly extends Error {
  readonly code = '25006';
}

/** @throws ServerReadOnly */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const {
    rows: [row],
  } = await client.query<{ readOnly: string }>(
    `select current_setting('transaction_read_only') as "readOnly"`,
  );
  if (row?.readOnly === 'off') return;
  throw new ServerReadOnly('the server takes no writes; it is a standby, or read-only');
}

/** The server follows no other. */
export class ServerNoStandby extends Error {}

/** @throws ServerNoStandby */
export async function requireStandby(client: pg.ClientBase): Promise<void> {
  const {
    rows: [row],
  } = await client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows');
  if (!row?.follows) throw new ServerNoStandby('the server is no standby');
}

/** @throws when the server is not the one to use */
export type Fit = (client: pg.ClientBase) => Promise<void>;

/** Remembers which server was the right one last, and looks for another when it no longer is. */
export class Servers {
  readonly addresses: readonly string[];
  readonly fit: Fit;
  #current: string;
  #doubted: boolean;
  #finding: Promise<string> | null = null;

  /** @param use what the servers are for */
  constructor(url: string, use: Use = 'writes') {
    this.addresses = addressesOf(url, use);
    this.fit = use === 'writes' ? requireWritable : requireStandby;
    this.#current = this.addresses[0] ?? url;
    this.#doubted = this.addresses.length > 1;
  }

  /** Makes the next connection look for the right server. */
  doubt(): void {
    this.#doubted = this.addresses.length > 1;
  }

  /** @throws what the servers answered, when none is right */
  async right(): Promise<string> {
    if (!this.#doubted) return this.#current;
    this.#finding ??= this.#find().finally(() => (this.#finding = null));
    return this.#finding;
  }

  async #find(): Promise<string> {
    // The last one that was right comes first: an old primary that returns by itself must not win by chance.
    const others = this.addresses.filter((address) => address !== this.#current);
    const look = (address: string): Promise<string> => probe(address, this.fit);
    const found = await look(this.#current).catch(() => Promise.any(others.map(look)).catch(firstOf));
    this.#current = found;
    this.#doubted = false;
    return found;
  }
}

function firstOf(error: unknown): never {
  throw error instanceof AggregateError ? error.errors[0] : error;
}

async function probe(address: string, fit: Fit): Promise<string> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'fieldline-hq probe',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await fit(client);
    return address;
  } finally {
    // Whether the server is right is known by now; how its connection ends changes nothing.
    client.end().catch(() => undefined);
  }
}

/**
 * A client of whichever server is right when it connects. Its errors are heard at every moment: an
 * unheard one ends the process.
 */
export class ServerClient extends pg.Client {
  #servers: Servers;

  constructor(servers: Servers, config: pg.ClientConfig) {
    super({ ...config, connectionString: servers.addresses[0] });
    this.#servers = servers;
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (!callback) return this.#aimed().then(() => super.connect());
    this.#aimed().then(() => super.connect(callback), callback);
  }

  async #aimed(): Promise<void> {
    const address = await this.#servers.right();
    if (this.#servers.addresses.length === 1) return;
    const { host, port } = new pg.Client({ connectionString: address });
    this.host = host;
    this.port = port;
  }
}
