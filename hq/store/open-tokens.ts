// Token requests and token checks of one process go together, so that each costs a share of a statement.
import { timingSafeEqual } from 'node:crypto';
import { FAILURE_WINDOW_MS, failureScopes, heldUpUntil } from '../integration/decide.ts';
import type { TokenOutcome, TokenPort, TokenRequest } from '../integration/port.ts';
import type { Status } from '../integration/record.ts';
import { Batch } from './batch.ts';
import type { Database, Tx } from './database.ts';

const MAX_REQUESTS = 200;
const MAX_CHECKS = 1_000;

interface SecretRow {
  tenantCode: string;
  clientId: string;
  secret: string;
  previous: string | null;
  previousUntil: number | null;
  status: Status;
}

interface Failures {
  failures: number;
  since: number;
}

/** Compared in place of the secret of a client that does not exist; no secret has this digest. */
const NOBODY: SecretRow = { tenantCode: '', clientId: '', secret: '0'.repeat(64), previous: null, previousUntil: null, status: 'enabled' };

export function createOpenTokens(database: Database): TokenPort & { idle(): Promise<void> } {
  const issuing = new Batch<TokenRequest, TokenOutcome>((requests) => database.transaction((tx) => issue(tx, requests)), MAX_REQUESTS);
  const checks = new Batch<{ sha256: string; now: number }, string | null>(async (asked) => {
    const { rows } = await database.read((_db, pool) => pool.query<{ sha256: string; tenantCode: string; expiresAt: number }>({
      name: 'open token',
      text: `select t.sha256, t.tenant_code as "tenantCode", t.expires_at as "expiresAt" from open_tokens t
             join open_clients c on c.tenant_code = t.tenant_code and c.client_id = t.client_id and c.status = 'enabled' where t.sha256 = any($1)`,
      values: [asked.map(({ sha256 }) => sha256)],
    }));
    const found = new Map(rows.map((row) => [row.sha256, row]));
    return asked.map(({ sha256, now }) => {
      const token = found.get(sha256);
      return token && token.expiresAt > now ? token.tenantCode : null;
    });
  }, MAX_CHECKS);
  return {
    issue: (request) => issuing.add(request),
    tenantOf: (sha256, now) => checks.add({ sha256, now }),
    sweep: (now, limit) => database.read(async (_db, pool) => {
      const tokens = await pool.query('delete from open_tokens where ctid = any(array(select ctid from open_tokens where expires_at <= $1 limit $2))', [now, limit]);
      const failures = await pool.query('delete from open_failures where ctid = any(array(select ctid from open_failures where since <= $1 limit $2))', [now - FAILURE_WINDOW_MS, limit]);
      return (tokens.rowCount ?? 0) + (failures.rowCount ?? 0);
    }),
    idle: async () => void (await Promise.all([issuing.idle(), checks.idle()])),
  };
}

async function issue(tx: Tx, requests: readonly TokenRequest[]): Promise<TokenOutcome[]> {
  const scopes = [...new Set(requests.flatMap((one) => failureScopes(one).map(({ scope }) => scope)))];
  const { rows: failed } = await tx.client.query<Failures & { scope: string }>('select scope, failures, since from open_failures where scope = any($1)', [scopes]);
  const failures = new Map<string, Failures>(failed.map((row) => [row.scope, row]));
  const clients = await lockClients(tx, requests);
  const added = new Map<string, Failures>();
  const outcomes = requests.map((request) => {
    const outcome = decide(request, clients.get(`${request.tenantCode}\n${request.clientId}`), failures);
    if (outcome.kind === 'invalid') countFailure(request, failures, added);
    return outcome;
  });
  await writeTokens(tx, requests.filter((_, index) => outcomes[index]?.kind === 'issued'));
  await writeFailures(tx, added);
  return outcomes;
}

/** Whoever disables a client waits for the tokens that are being given to it, and deletes them. */
async function lockClients(tx: Tx, requests: readonly TokenRequest[]): Promise<Map<string, SecretRow>> {
  const { rows } = await tx.client.query<SecretRow>({
    name: 'open clients',
    text: `select tenant_code as "tenantCode", client_id as "clientId", secret_sha256 as secret, previous_sha256 as previous, previous_until as "previousUntil", status
      from open_clients where (tenant_code, client_id) in (select * from unnest($1::text[], $2::text[])) order by tenant_code, client_id for key share`,
    values: [requests.map(({ tenantCode }) => tenantCode), requests.map(({ clientId }) => clientId)],
  });
  return new Map(rows.map((row) => [`${row.tenantCode}\n${row.clientId}`, row]));
}

function decide(request: TokenRequest, known: SecretRow | undefined, failures: ReadonlyMap<string, Failures>): TokenOutcome {
  const { now, secretSha256 } = request;
  for (const { scope, limit } of failureScopes(request)) {
    const until = heldUpUntil(failures.get(scope), limit, now);
    if (until !== null) return { kind: 'held_up', until };
  }
  const client = known ?? NOBODY;
  const live = equal(client.secret, secretSha256);
  const previous = equal(client.previous ?? NOBODY.secret, secretSha256) && client.previousUntil !== null && client.previousUntil > now;
  if (!live && !previous) return { kind: 'invalid' };
  return client.status === 'enabled' ? { kind: 'issued' } : { kind: 'disabled' };
}

const equal = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

function countFailure(request: TokenRequest, failures: Map<string, Failures>, added: Map<string, Failures>): void {
  for (const { scope } of failureScopes(request)) {
    const before = failures.get(scope);
    const counted = before && before.since + FAILURE_WINDOW_MS > request.now ? { ...before, failures: before.failures + 1 } : { failures: 1, since: request.now };
    failures.set(scope, counted);
    added.set(scope, { failures: (added.get(scope)?.failures ?? 0) + 1, since: counted.since });
  }
}

async function writeTokens(tx: Tx, issued: readonly TokenRequest[]): Promise<void> {
  if (issued.length === 0) return;
  const column = <T>(read: (one: TokenRequest) => T): T[] => issued.map(read);
  await tx.client.query({
    name: 'open tokens issued',
    text: `insert into open_tokens (tenant_code, sha256, client_id, expires_at) select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`,
    values: [column((one) => one.tenantCode), column((one) => one.tokenSha256), column((one) => one.clientId), column((one) => one.expiresAt)],
  });
}

async function writeFailures(tx: Tx, added: ReadonlyMap<string, Failures>): Promise<void> {
  if (added.size === 0) return;
  // In one order, so that two processes do not wait for each other in a ring.
  const rows = [...added].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.client.query(
    `insert into open_failures (scope, failures, since) select * from unnest($1::text[], $2::int[], $3::bigint[])
     on conflict (scope) do update set since = excluded.since,
       failures = case when open_failures.since = excluded.since then open_failures.failures + excluded.failures else excluded.failures end`,
    [rows.map(([scope]) => scope), rows.map(([, one]) => one.failures), rows.map(([, one]) => one.since)]);
}
