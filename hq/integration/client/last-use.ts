import type { OpenClientPort } from '../port.ts';
import type { ClientName, ClientRecord } from '../record.ts';

const keyOf = ({ tenantCode, clientId }: ClientName): string => `${tenantCode}\n${clientId}`;

/**
 * When clients were last used, kept in memory until `flush`: a snapshot costs no write, and a process that
 * dies loses what came since.
 */
export class LastUse {
  #clients: Pick<OpenClientPort, 'used'>;
  #at = new Map<string, ClientName & { at: number }>();

  constructor(clients: Pick<OpenClientPort, 'used'>) {
    this.#clients = clients;
  }

  /** A client that exists was used at a time, epoch ms. */
  note({ tenantCode, clientId }: ClientName, at: number): void {
    this.#at.set(keyOf({ tenantCode, clientId }), { tenantCode, clientId, at });
  }

  /** With what this process knows beyond the row. */
  shown(client: ClientRecord): ClientRecord {
    const at = this.#at.get(keyOf(client))?.at ?? null;
    return at === null || at <= (client.lastUsedAt ?? 0) ? client : { ...client, lastUsedAt: at };
  }

  async flush(): Promise<void> {
    const uses = [...this.#at.values()];
    await this.#clients.used(uses);
    for (const use of uses) if (this.#at.get(keyOf(use)) === use) this.#at.delete(keyOf(use));
  }
}
