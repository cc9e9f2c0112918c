import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { By, ListPosition, OpenClientPort } from '../port.ts';
import type { ClientChange, ClientName, ClientRecord, ClientUse } from '../record.ts';
import { clientScope } from '../token/decide.ts';
import { openClients, openFailures, openTokens } from './schema.ts';

/** The records hold no secret. */
const fields = {
  tenantCode: openClients.tenantCode,
  clientId: openClients.clientId,
  name: openClients.name,
  status: openClients.status,
  scopes: openClients.scopes,
  createdAt: openClients.createdAt,
  updatedAt: openClients.updatedAt,
  previousUntil: openClients.previousUntil,
  lastUsedAt: openClients.lastUsedAt,
};

export class HubOpenClients implements OpenClientPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(client: ClientRecord, secretSha256: string, by: By): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { tenantCode, clientId, name, status, scopes, createdAt } = client;
      const row = { tenantCode, clientId, name, status, scopes, secretSha256, createdAt };
      await tx.db.insert(openClients).values({ ...row, updatedAt: createdAt });
      await note(tx, 'client.created', null, client, by);
    });
  }

  get(clientId: string): Promise<ClientRecord | null> {
    return this.#database.read(
      async (db) =>
        (await db.select(fields).from(openClients).where(eq(openClients.clientId, clientId)))[0] ?? null,
    );
  }

  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<ClientRecord[]> {
    return this.#database.read((db) =>
      db
        .select(fields)
        .from(openClients)
        .where(
          and(
            tenantCode === null ? undefined : eq(openClients.tenantCode, tenantCode),
            after === null
              ? undefined
              : sql`(${openClients.createdAt}, ${openClients.clientId}) < (${after.at}, ${after.id})`,
          ),
        )
        .orderBy(desc(openClients.createdAt), desc(openClients.clientId))
        .limit(limit),
    );
  }

  change(clientId: string, change: ClientChange, by: By): Promise<ClientRecord | null> {
    return this.#changed(clientId, 'client.changed', by, async (tx, before) => {
      if (change.status === 'disabled')
        await tx.db
          .delete(openTokens)
          .where(and(eq(openTokens.tenantCode, before.tenantCode), eq(openTokens.clientId, clientId)));
      if (change.status === 'enabled') await forgetFailures(tx, before);
      const { name = before.name, status = before.status, scopes = before.scopes } = change;
      return update(tx, before, { name, status, scopes, updatedAt: by.now });
    });
  }

  rotate(
    clientId: string,
    secretSha256: string,
    previousUntil: number,
    by: By,
  ): Promise<ClientRecord | null> {
    return this.#changed(clientId, 'client.rotated', by, async (tx, before) => {
      await forgetFailures(tx, before);
      return update(tx, before, {
        ...(previousUntil > by.now
          ? { previousSha256: sql`${openClients.secretSha256}`, previousUntil }
          : { previousSha256: null, previousUntil: null }),
        secretSha256,
        updatedAt: by.now,
      });
    });
  }

  used(uses: readonly ClientUse[]): Promise<void> {
    if (uses.length === 0) return Promise.resolve();
    // In a fixed order, so that two processes cannot deadlock.
    const rows = [...uses].sort((a, b) => (clientScope(a) < clientScope(b) ? -1 : 1));
    return this.#database.transaction(async (tx) => {
      for (const use of rows)
        await tx.db
          .update(openClients)
          .set({ lastUsedAt: use.at })
          .where(and(theOne(use), or(isNull(openClients.lastUsedAt), lt(openClients.lastUsedAt, use.at))));
    });
  }

  async remove(clientId: string, by: By): Promise<boolean> {
    return (
      null !==
      (await this.#changed(clientId, 'client.removed', by, async (tx, before) => {
        await tx.db.delete(openClients).where(theOne(before));
        return null;
      }))
    );
  }

  #changed(
    clientId: string,
    action: string,
    by: By,
    write: (tx: Tx, before: ClientRecord) => Promise<ClientRecord | null>,
  ): Promise<ClientRecord | null> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db
        .select(fields)
        .from(openClients)
        .where(eq(openClients.clientId, clientId))
        .for('update');
      if (!before) return null;
      const after = await write(tx, before);
      await note(tx, action, before, after, by);
      return after ?? before;
    });
  }
}

const theOne = ({ tenantCode, clientId }: ClientName) =>
  and(eq(openClients.tenantCode, tenantCode), eq(openClients.clientId, clientId));

async function update(
  tx: Tx,
  client: ClientRecord,
  set: PgUpdateSetSource<typeof openClients>,
): Promise<ClientRecord | null> {
  const [after] = await tx.db.update(openClients).set(set).where(theOne(client)).returning(fields);
  return after ?? null;
}

async function note(
  tx: Tx,
  action: string,
  before: ClientRecord | null,
  after: ClientRecord | null,
  by: By,
): Promise<void> {
  const client = after ?? before;
  await appendAudit(tx, {
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject: `client:${client?.clientId}`,
    tenantCode: client?.tenantCode ?? null,
    before,
    after,
  });
}

/** Wrong secrets from whatever address; those that count for an address alone stay. */
async function forgetFailures(tx: Tx, client: Pick<ClientRecord, 'tenantCode' | 'clientId'>): Promise<void> {
  const ofClient = clientScope(client);
  await tx.db.delete(openFailures).where(sql`starts_with(${openFailures.scope}, ${ofClient})`);
}
