import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { notFound } from '../../common/http/error.ts';
import { newSecret } from '../../common/secret/secret.ts';
import { byOf, sees, type Caller } from './caller.ts';
import type { ListPosition, OpenClientPort } from './port.ts';
import type { ClientRecord, Status } from './record.ts';
import { sha256 } from './token-service.ts';

/** A client whose secret is shown this once. */
export interface IssuedClient {
  client: ClientRecord;
  secret: string;
}

/** Open clients: third-party systems that may obtain tokens (spec 1, "Open client"). */
export class ClientService {
  #clients: OpenClientPort;
  #clock: Clock;

  constructor(clients: OpenClientPort, clock: Clock) {
    this.#clients = clients;
    this.#clock = clock;
  }

  async create(
    { tenantCode, name }: { tenantCode: string; name: string },
    caller: Caller,
  ): Promise<IssuedClient> {
    const secret = newSecret('fls_');
    const by = byOf(caller, this.#clock);
    const client: ClientRecord = {
      tenantCode,
      clientId: `flc_${randomBytes(16).toString('base64url')}`,
      name,
      status: 'enabled',
      createdAt: by.now,
      updatedAt: by.now,
      previousUntil: null,
    };
    await this.#clients.create(client, sha256(secret), by);
    return { client, secret };
  }

  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<ClientRecord[]> {
    return this.#clients.list(tenantCode, after, limit);
  }

  /** @throws 404 */
  async change(
    clientId: string,
    change: { name?: string | undefined; status?: Status | undefined },
    caller: Caller,
  ): Promise<ClientRecord> {
    await this.#own(clientId, caller);
    return (await this.#clients.change(clientId, change, byOf(caller, this.#clock))) ?? missing();
  }

  /** @throws 404 */
  async rotate(clientId: string, overlapMs: number, caller: Caller): Promise<IssuedClient> {
    await this.#own(clientId, caller);
    const secret = newSecret('fls_');
    const by = byOf(caller, this.#clock);
    const client =
      (await this.#clients.rotate(clientId, sha256(secret), by.now + overlapMs, by)) ?? missing();
    return { client, secret };
  }

  /** @throws 404 */
  async remove(clientId: string, caller: Caller): Promise<void> {
    await this.#own(clientId, caller);
    if (!(await this.#clients.remove(clientId, byOf(caller, this.#clock)))) missing();
  }

  async #own(clientId: string, caller: Caller): Promise<void> {
    const client = await this.#clients.get(clientId);
    if (!client || !sees(caller, client)) missing();
  }
}

function missing(): never {
  throw notFound('The open client');
}
