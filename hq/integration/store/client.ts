import type { ClientRecord } from '../record.ts';
import type { By, OpenClientPort } from '../port.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { audit } from '../../store/schema/tables.ts';

const COLUMNS = `tenant_code as "tenantCode", client_id as "clientId", name, status, created_at as "createdAt", updated_at as "updatedAt",
  previous_until as "previousUntil"`;

export function createOpenClients(database: Database): OpenClientPort {
  const changed = (
    clientId: string,
    action: string,
    by: By,
    write: (tx: Tx, before: ClientRecord) => Promise<ClientRecord | null>,
  ) =>
    database.transaction(async (tx) => {
      const {
        rows: [before],
      } = await tx.client.query<ClientRecord>(
        `select ${COLUMNS} from open_clients where client_id = $1 for update`,
        [clientId],
      );
      if (!before) return null;
      const after = await write(tx, before);
      await note(tx, action, before, after, by);
      return after ?? before;
    });
  return {
    create: (client, secretSha256, by) =>
      database.transaction(async (tx) => {
        await tx.client.query(
          'insert into open_clients (tenant_code, client_id, name, secret_sha256, status, created_at, ' +
            'updated_at) values ($1, $2, $3, $4, $5, $6, $6)',
          [client.tenantCode, client.clientId, client.name, secretSha256, client.status, client.createdAt],
        );
        await note(tx, 'client.created', null, client, by);
      }),
    get: (clientId) =>
      database.read(
        async (_db, pool) =>
          (
            await pool.query<ClientRecord>(`select ${COLUMNS} from open_clients where client_id = $1`, [
              clientId,
            ])
          ).rows[0] ?? null,
      ),
    list: (tenantCode, after, limit) =>
      database.read(
        async (_db, pool) =>
          (
            await pool.query<ClientRecord>(
              `select ${COLUMNS} from open_clients where ($1::text is null or tenant_code = $1)
                and ($2::bigint is null or (created_at, client_id) < ($2, $3))
       order by created_at desc, client_id desc limit $4`,
              [tenantCode, after?.at ?? null, after?.id ?? null, limit],
            )
          ).rows,
      ),
    change: (clientId, change, by) =>
      changed(clientId, 'client.changed', by, async (tx, before) => {
        if (change.status === 'disabled')
          await tx.client.query('delete from open_tokens where tenant_code = $1 and client_id = $2', [
            before.tenantCode,
            clientId,
          ]);
        return update(tx, before, `name = $3, status = $4, updated_at = $5`, [
          change.name ?? before.name,
          change.status ?? before.status,
          by.now,
        ]);
      }),
    rotate: (clientId, secretSha256, previousUntil, by) =>
      changed(clientId, 'client.rotated', by, (tx, before) =>
        previousUntil > by.now
          ? update(
              tx,
              before,
              'previous_sha256 = secret_sha256, previous_until = $4, secret_sha256 = $3, updated_at = $5',
              [secretSha256, previousUntil, by.now],
            )
          : update(
              tx,
              before,
              'previous_sha256 = null, previous_until = null, secret_sha256 = $3, updated_at = $4',
              [secretSha256, by.now],
            ),
      ),
    remove: async (clientId, by) =>
      null !==
      (await changed(clientId, 'client.removed', by, async (tx, before) => {
        await tx.client.query('delete from open_clients where tenant_code = $1 and client_id = $2', [
          before.tenantCode,
          clientId,
        ]);
        return null;
      })),
  };
}

async function update(
  tx: Tx,
  { tenantCode, clientId }: ClientRecord,
  set: string,
  values: unknown[],
): Promise<ClientRecord | null> {
  const {
    rows: [after],
  } = await tx.client.query<ClientRecord>(
    `update open_clients set ${set} where tenant_code = $1 and client_id = $2 returning ${COLUMNS}`,
    [tenantCode, clientId, ...values],
  );
  return after ?? null;
}

/** The records hold no secret. */
async function note(
  tx: Tx,
  action: string,
  before: ClientRecord | null,
  after: ClientRecord | null,
  by: By,
): Promise<void> {
  const known = after ?? before;
  await tx.db.insert(audit).values({
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject: `client:${known?.clientId}`,
    tenantCode: known?.tenantCode ?? null,
    before,
    after,
  });
}
