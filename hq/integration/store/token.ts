// Token requests of one process go together, so that each costs a share of a transaction.
import { timingSafeEqual } from 'node:crypto';
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { TokenClient, TokenOutcome, TokenPort, TokenRequest } from '../port.ts';
import type { HeldAddress, HeldClient, QuotaLeft, Status } from '../record.ts';
import {
  FAILURE_LIMITS,
  FAILURE_WINDOW_MS,
  type Failures,
  failureScopes,
  quotaLeft,
  refusedFor,
} from '../token/decide.ts';

const MAX_REQUESTS = 200;

interface SecretRow {
  tenantCode: string;
  clientId: string;
  secret: string;
  previous: string | null;
  previousUntil: number | null;
  status: Status;
}

type Answered = TokenOutcome & { quotas: QuotaLeft[] };

/** Compared in place of the secret of a client that does not exist; no secret has this digest. */
const NO_SECRET = '0'.repeat(64);

const COLUMNS =
  'secret_sha256 as secret, previous_sha256 as previous, previous_until as "previousUntil", status';
/** By index from each request to its client, whatever size the planner believes the table to have. */
const ONE = (lock: string): string =>
  `(select ${COLUMNS} from open_clients c where c.tenant_code = n.tenant_code and c.client_id = ` +
  `n.client_id limit 1 ${lock}) c`;
const ASKED =
  'select n.tenant_code as "tenantCode", n.client_id as "clientId", c.* from (select distinct * from ' +
  'unnest($1::text[], $2::text[]) as n (tenant_code, client_id)) n';

/**
 * A row for each that is asked for: one of a client that does not exist looks like any other, and is as long.
 */
const CLIENTS = {
  name: 'open_clients',
  text: `select "tenantCode", "clientId", coalesce(secret, '${NO_SECRET}') as secret, previous,
    "previousUntil", coalesce(status, 'enabled') as status
    from (${ASKED} left join lateral ${ONE('')} on true) found`,
};
const LOCKED_CLIENTS = {
  name: 'open_clients_locked',
  text: `${ASKED} cross join lateral ${ONE('for key share')}`,
};

export class HubTokens implements TokenPort {
  #database: Database;
  #issuing: Coalescer<TokenRequest, Answered>;

  constructor(database: Database) {
    this.#database = database;
    this.#issuing = new Coalescer<TokenRequest, Answered>(
      (requests) => database.transaction((tx) => issue(tx, requests)),
      MAX_REQUESTS,
    );
  }

  issue(request: TokenRequest): Promise<Answered> {
    return this.#issuing.add(request);
  }

  client(tokenSha256: string, now: number): Promise<TokenClient | null> {
    return this.#database.read(async (_db, pool) => {
      const { rows } = await pool.query<TokenClient>({
        name: 'open_token_client',
        text: `select t.tenant_code as "tenantCode", t.client_id as "clientId", c.scopes
          from open_tokens t join open_clients c on c.tenant_code = t.tenant_code
            and c.client_id = t.client_id and c.status = 'enabled'
          where t.sha256 = $1 and t.expires_at > $2 limit 1`,
        values: [tokenSha256, now],
      });
      return rows[0] ?? null;
    });
  }

  held(now: number, limit: number): Promise<{ clients: HeldClient[]; addresses: HeldAddress[] }> {
    const since = now - FAILURE_WINDOW_MS;
    return this.#database.read(async (_db, pool) => {
      const clients = await pool.query<HeldClient>(
        `select c.tenant_code as "tenantCode", c.client_id as "clientId", c.name,
           split_part(f.scope, e'\\n', 3) as ip, f.since + $3 as until
         from open_failures f join open_clients c on c.client_id = split_part(f.scope, e'\\n', 2)
           and f.scope like 'client:%' and c.tenant_code = split_part(substr(f.scope, 8), e'\\n', 1)
         where f.since > $1 and f.failures >= $2 order by f.since desc limit $4`,
        [since, FAILURE_LIMITS.client, FAILURE_WINDOW_MS, limit],
      );
      const addresses = await pool.query<HeldAddress>(
        `select substr(scope, 9) as ip, since + $3 as until from open_failures
         where since > $1 and failures >= $2 and scope like 'address:%' order by since desc limit $4`,
        [since, FAILURE_LIMITS.address, FAILURE_WINDOW_MS, limit],
      );
      return { clients: clients.rows, addresses: addresses.rows };
    });
  }

  sweep(now: number, limit: number): Promise<number> {
    return this.#database.read(async (_db, pool) => {
      const tokens = await pool.query(
        'delete from open_tokens where ctid = any(array(select ctid from open_tokens where ' +
          'expires_at <= $1 limit $2))',
        [now, limit],
      );
      const failures = await pool.query(
        'delete from open_failures where ctid = any(array(select ctid from open_failures where since ' +
          '<= $1 limit $2))',
        [now - FAILURE_WINDOW_MS, limit],
      );
      return (tokens.rowCount ?? 0) + (failures.rowCount ?? 0);
    });
  }
}

async function issue(tx: Tx, requests: readonly TokenRequest[]): Promise<Answered[]> {
  const scopes = [...new Set(requests.flatMap((one) => failureScopes(one).map(({ scope }) => scope)))];
  const { rows: failed } = await tx.client.query<Failures & { scope: string }>({
    name: 'open_failures',
    text: 'select scope, failures, since from open_failures where scope = any($1)',
    values: [scopes],
  });
  const failures = new Map<string, Failures>(failed.map((row) => [row.scope, row]));
  const known = await clientsOf(tx, requests, CLIENTS);
  // Whoever disables a client waits for the tokens that are being given to it, and deletes them. A wrong
  // secret locks nothing: a client that exists would take longer than one that does not.
  const proven = new Set(requests.filter((request) => proves(request, known.get(keyOf(request)))));
  const locked = proven.size === 0 ? known : await clientsOf(tx, [...proven], LOCKED_CLIENTS);
  const added = new Map<string, Failures>();
  const outcomes = requests.map((request) => {
    const outcome = decide(request, (proven.has(request) ? locked : known).get(keyOf(request)), failures);
    if (outcome.kind === 'invalid') countFailure(request, failures, added);
    return { ...outcome, quotas: quotasOf(request, failures) };
  });
  await writeTokens(
    tx,
    requests.filter((_, index) => outcomes[index]?.kind === 'issued'),
  );
  await writeFailures(tx, added);
  return outcomes;
}

const keyOf = ({ tenantCode, clientId }: Pick<TokenRequest, 'tenantCode' | 'clientId'>): string =>
  `${tenantCode}\n${clientId}`;

async function clientsOf(
  tx: Tx,
  requests: readonly TokenRequest[],
  statement: typeof CLIENTS,
): Promise<Map<string, SecretRow>> {
  const values = [requests.map(({ tenantCode }) => tenantCode), requests.map(({ clientId }) => clientId)];
  const { rows } = await tx.client.query<SecretRow>({ ...statement, values });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function decide(
  request: TokenRequest,
  known: SecretRow | undefined,
  failures: ReadonlyMap<string, Failures>,
): TokenOutcome {
  const proven = proves(request, known);
  const refused = refusedFor(quotasOf(request, failures), { proven, unsureIp: request.unsureIp });
  if (refused) return { kind: 'held_up', until: refused.until };
  if (!proven) return { kind: 'invalid' };
  return known?.status === 'enabled' ? { kind: 'issued' } : { kind: 'disabled' };
}

const quotasOf = (request: TokenRequest, failures: ReadonlyMap<string, Failures>): QuotaLeft[] =>
  failureScopes(request).map(({ quota, scope }) => quotaLeft(quota, failures.get(scope), request.now));

/** Whether the secret is the client's, or the one before it while that holds. */
function proves({ now, secretSha256 }: TokenRequest, client: SecretRow | undefined): boolean {
  if (!client) return false;
  const live = equal(client.secret, secretSha256);
  const previous =
    equal(client.previous ?? NO_SECRET, secretSha256) &&
    client.previousUntil !== null &&
    client.previousUntil > now;
  return live || previous;
}

const equal = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

function countFailure(
  request: TokenRequest,
  failures: Map<string, Failures>,
  added: Map<string, Failures>,
): void {
  for (const { scope } of failureScopes(request)) {
    const before = failures.get(scope);
    const counted =
      before && before.since + FAILURE_WINDOW_MS > request.now
        ? { ...before, failures: before.failures + 1 }
        : { failures: 1, since: request.now };
    failures.set(scope, counted);
    added.set(scope, { failures: (added.get(scope)?.failures ?? 0) + 1, since: counted.since });
  }
}

async function writeTokens(tx: Tx, issued: readonly TokenRequest[]): Promise<void> {
  if (issued.length === 0) return;
  const column = <T>(read: (one: TokenRequest) => T): T[] => issued.map(read);
  await tx.client.query({
    name: 'open tokens issued',
    text:
      'insert into open_tokens (tenant_code, sha256, client_id, expires_at) select * from ' +
      'unnest($1::text[], $2::text[], $3::text[], $4::bigint[])',
    values: [
      column((one) => one.tenantCode),
      column((one) => one.tokenSha256),
      column((one) => one.clientId),
      column((one) => one.expiresAt),
    ],
  });
}

async function writeFailures(tx: Tx, added: ReadonlyMap<string, Failures>): Promise<void> {
  if (added.size === 0) return;
  // In a fixed order, so that two processes cannot deadlock.
  const rows = [...added].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.client.query(
    `insert into open_failures (scope, failures, since) select *
      from unnest($1::text[], $2::int[], $3::bigint[])
     on conflict (scope) do update set since = excluded.since,
       failures = case when open_failures.since = excluded.since
         then open_failures.failures + excluded.failures else excluded.failures end`,
    [rows.map(([scope]) => scope), rows.map(([, one]) => one.failures), rows.map(([, one]) => one.since)],
  );
}
