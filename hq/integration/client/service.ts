import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import { notFound } from '../../../common/http/error.ts';
import { newSecret } from '../../../common/secret/secret.ts';
import { byOf, type Caller, sees } from '../caller.ts';
import type { ListPosition, OpenClientPort, TokenPort } from '../port.ts';
import type { ClientChange, ClientListed, ClientRecord } from '../record.ts';
import { sha256 } from '../token/service.ts';
import type { LastUse } from './last-use.ts';

/** A client whose secret is shown this once. */
export interface IssuedClient {
  client: ClientRecord;
  secret: string;
}

export interface ClientServiceParts {
  clients: OpenClientPort;
  tokens: Pick<TokenPort, 'held'>;
  use: LastUse;
  clock: Clock;
}

/** Clients whose requests for tokens are refused that a list can tell of. */
const MAX_HELD = 1_000;

/** Open clients: third-party systems that may obtain tokens (spec 1, "Open client"). */
export class ClientService {
  readonly #parts: ClientServiceParts;

  constructor(parts: ClientServiceParts) {
    this.#parts = parts;
  }

  async create(
    { tenantCode, name, scopes }: Pick<ClientRecord, 'tenantCode' | 'name' | 'scopes'>,
    caller: Caller,
  ): Promise<IssuedClient> {
    const secret = newSecret('fls_');
    const by = byOf(caller, this.#parts.clock);
    const client: ClientRecord = {
      tenantCode,
      clientId: `flc_${randomBytes(16).toString('base64url')}`,
      name,
      status: 'enabled',
      scopes,
      createdAt: by.now,
      updatedAt: by.now,
      previousUntil: null,
      lastUsedAt: null,
    };
    await this.#parts.clients.create(client, sha256(secret), by);
    return { client, secret };
  }

  async list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<ClientListed[]> {
    const [clients, held] = [
      await this.#parts.clients.list(tenantCode, after, limit),
      await this.#parts.tokens.held(this.#parts.clock.now(), MAX_HELD),
    ];
    return clients.map((client) => ({
      ...this.#parts.use.shown(client),
      heldUp: held.clients
        .filter((one) => one.clientId === client.clientId && one.tenantCode === client.tenantCode)
        .map(({ ip, until }) => ({ ip, until })),
    }));
  }

  /** @throws 404 */
  async change(clientId: string, change: ClientChange, caller: Caller): Promise<ClientRecord> {
    await this.#own(clientId, caller);
    return (await this.#parts.clients.change(clientId, change, byOf(caller, this.#parts.clock))) ?? missing();
  }

  /** @throws 404 */
  async rotate(clientId: string, overlapMs: number, caller: Caller): Promise<IssuedClient> {
    await this.#own(clientId, caller);
    const secret = newSecret('fls_');
    const by = byOf(caller, this.#parts.clock);
    const client =
      (await this.#parts.clients.rotate(clientId, sha256(secret), by.now + overlapMs, by)) ?? missing();
    return { client, secret };
  }

  /** @throws 404 */
  async remove(clientId: string, caller: Caller): Promise<void> {
    await this.#own(clientId, caller);
    if (!(await this.#parts.clients.remove(clientId, byOf(caller, this.#parts.clock)))) missing();
  }

  async #own(clientId: string, caller: Caller): Promise<void> {
    const client = await this.#parts.clients.get(clientId);
    if (!client || !sees(caller, client)) missing();
  }
}

function missing(): never {
  throw notFound('The open client');
}
