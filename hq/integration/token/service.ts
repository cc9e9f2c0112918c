import { hash } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import { storableText } from '../../../common/http/body/json.ts';
import { AppError, badRequest } from '../../../common/http/error.ts';
import { type Fault } from '../../../common/http/fault/fault.ts';
import { newSecret } from '../../../common/secret/secret.ts';
import { formatBeijing } from '../business-event.ts';
import type { LastUse } from '../client/last-use.ts';
import { TOKEN_LIFETIME_S } from '../decide.ts';
import {
  clientDisabled,
  invalidClient,
  invalidToken,
  projectNotFound,
  severalProjects,
} from '../envelope.ts';
import { faultAt } from '../integration-fault-messages.ts';
import type { SnapshotPort, TokenPort } from '../port.ts';
import { quotaHeaders, secondsTo } from './decide.ts';

const TOKEN_PREFIX = 'flt_';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** A token request as it came: members of the body, and what its headers say. */
export interface AskedToken {
  grantType: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  authorization: string | undefined;
  tenantCode: string | undefined;
  /** As it stands elsewhere in the request, which must be the same. */
  otherTenant: string | undefined;
  ip: string;
  /** The address may be that of a proxy which `CORE_TRUSTED_PROXIES` does not name. */
  unsureIp: boolean;
}

/** Longest code of a project that the store holds, characters. */
const MAX_PROJECT_CODE = 512;

export interface TokenServiceParts {
  tokens: TokenPort;
  snapshots: SnapshotPort;
  use: LastUse;
  clock: Clock;
}

/** A token, and how many wrong requests are borne still. */
export interface IssuedToken {
  token: string;
  headers: Record<string, string>;
}

/** The client-credentials grant and the snapshot behind it (spec 1). */
export class TokenService {
  readonly #parts: TokenServiceParts;

  constructor(parts: TokenServiceParts) {
    this.#parts = parts;
  }

  /** @returns a token of `TOKEN_LIFETIME_S` seconds @throws the open interface's errors */
  async issue(asked: AskedToken): Promise<IssuedToken> {
    const { tenantCode, grantType, ip, unsureIp } = asked;
    if (tenantCode === undefined || tenantCode.trim() === '')
      throw new AppError(400, 'tenant_required', 'the header X-Tenant-Code is missing');
    if (asked.otherTenant !== undefined && asked.otherTenant !== tenantCode.trim())
      throw badRequest([faultAt('tenant_code', 'tenant_in_two_places')]);
    if (grantType !== undefined && grantType !== 'client_credentials')
      throw new AppError(400, 'unsupported_grant_type', 'grant_type must be client_credentials');
    const { clientId, clientSecret } = credentialsOf(asked);
    const token = newSecret(TOKEN_PREFIX);
    const now = this.#parts.clock.now();
    const client = { tenantCode: tenantCode.trim(), clientId };
    const outcome = await this.#parts.tokens.issue({
      ...client,
      secretSha256: sha256(clientSecret),
      ip,
      unsureIp,
      tokenSha256: sha256(token),
      now,
      expiresAt: now + TOKEN_LIFETIME_S * 1000,
    });
    const headers = quotaHeaders(outcome.quotas, now);
    switch (outcome.kind) {
      case 'issued':
        this.#parts.use.note(client, now);
        return { token, headers };
      case 'invalid':
        throw invalidClient(headers);
      case 'disabled':
        throw clientDisabled(headers);
      case 'held_up':
        throw heldUp(secondsTo(outcome.until, now), headers);
    }
  }

  /**
   * The token is looked at first: without a valid one nothing is told of the rest of the request.
   * @throws 401 invalid_token, 404 not_found
   */
  async snapshot(authorization: string | undefined, projectCode: string): Promise<Record<string, unknown>> {
    const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    const now = this.#parts.clock.now();
    if (!token?.startsWith(TOKEN_PREFIX)) throw invalidToken();
    const named = storableText(projectCode) && projectCode.length <= MAX_PROJECT_CODE;
    const asked = { tokenSha256: sha256(token), projectCode: named ? projectCode : '', now };
    const outcome = await this.#parts.snapshots.read(asked);
    if (outcome.kind === 'invalid_token') throw invalidToken();
    this.#parts.use.note(outcome.client, now);
    if (outcome.kind === 'several_projects') throw severalProjects();
    if (outcome.kind === 'no_project' || !named) throw projectNotFound();
    const { project } = outcome;
    return {
      project_code: project.projectCode,
      project_name: project.projectName,
      status: project.status,
      health_score: project.healthScore,
      plan_progress: project.planProgress,
      actual_progress: project.actualProgress,
      milestones_total: project.milestonesTotal,
      milestones_at_risk: project.milestonesAtRisk,
      open_ncr: project.openNcr,
      generated_at: formatBeijing(now),
    };
  }
}

function heldUp(retryAfterSeconds: number, headers: Record<string, string>): AppError {
  return new AppError(
    429,
    'too_many_requests',
    'too many failed attempts from this address; try again later',
    { retryAfterSeconds, headers },
  );
}

/** From the body or from HTTP Basic, not from both (RFC 6749 §2.3). */
function credentialsOf({ clientId, clientSecret, authorization }: AskedToken): {
  clientId: string;
  clientSecret: string;
} {
  const basic = basicOf(authorization);
  if (basic && clientSecret !== undefined)
    throw badRequest([faultAt('client_secret', 'secret_in_two_places')]);
  if (basic) {
    if (clientId !== undefined && clientId !== basic.clientId)
      throw badRequest([faultAt('client_id', 'client_in_two_places')]);
    return basic;
  }
  const faults: Fault[] = [];
  if (!clientId) faults.push(faultAt('client_id', 'required'));
  if (!clientSecret) faults.push(faultAt('client_secret', 'required'));
  if (faults.length > 0 || !clientId || !clientSecret) throw badRequest(faults);
  return { clientId, clientSecret };
}

function basicOf(authorization: string | undefined): { clientId: string; clientSecret: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw invalidClient({});
  return { clientId: unescaped(text.slice(0, colon)), clientSecret: unescaped(text.slice(colon + 1)) };
}

/**
 * RFC 6749 has both parts form-encoded; our ids and secrets have no sign that this changes, so a plain `+`
 * stays one.
 */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return part;
  }
}
