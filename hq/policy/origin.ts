// Who calls the policy library, on which tenants, and with whose clearance (spec 3, "Authentication"). Pure
// but for the reads it is given.
import { type Clock, stampOf } from '../../common/clock.ts';
import type { AuditPort } from '../../common/core/audit/port.ts';
import { accountOf, type Actor } from '../../common/http/actor.ts';
import { actorOf } from '../../common/http/caller.ts';
import { AppError, forbidden } from '../../common/http/error.ts';
import type { Call } from '../../common/http/route.ts';
import { HIGHEST_RANK } from '../../common/policy/level.ts';
import { fault } from './policy-fault-messages.ts';
import type { ClearancePort, Visibility } from './port.ts';

/** `program`: the key of a consumer or client, of one tenant and one account. */
export type Origin = 'service' | 'console' | 'portal' | 'program';

export function originOf(actor: Actor): Origin {
  if (actor.kind === 'session') return actor.tenantCode === null ? 'console' : 'portal';
  return actor.kind === 'key' ? 'program' : 'service';
}

/** Who is of one tenant, and asks as itself alone. */
export const isBound = (actor: Actor): boolean => ['portal', 'program'].includes(originOf(actor));

export interface OriginOptions {
  /** Tenants that console sessions may act on. */
  consoleTenants: readonly string[];
  clearance: Pick<ClearancePort, 'rankOf'>;
  audit: Pick<AuditPort, 'add'>;
  clock: Clock;
}

type Asking = Pick<Call, 'actor' | 'ip' | 'request'>;

/** What a caller may see, and as which account. `subject` is null for all levels. */
export interface Viewer extends Visibility {
  subject: string | null;
}

export class Origins {
  readonly #options: OriginOptions;

  constructor(options: OriginOptions) {
    this.#options = options;
  }

  /**
   * The tenant that a call acts on. @throws AppError 400 when it names none, 403 when it may not act on it
   */
  tenant(actor: Actor, named: string | undefined): string {
    const origin = originOf(actor);
    if (isBound(actor)) {
      // No scope of the library is given to a key of every tenant.
      if (actor.tenantCode === null) throw forbidden('This key is bound to no tenant.');
      if (named !== undefined && named !== actor.tenantCode)
        throw forbidden('You may only ask for your own tenant.');
      return actor.tenantCode;
    }
    if (named === undefined) throw fault('tenant_code', 'must_be_given');
    if (origin === 'console' && !this.#options.consoleTenants.includes(named)) {
      throw new AppError(
        403,
        'tenant_not_allowed',
        'A console session acts on the operator tenant and the evaluation tenant only ' +
          '(CORE_OPERATOR_TENANT, CORE_EVALUATION_TENANT).',
      );
    }
    return named;
  }

  /** The tenants that a caller may act on at all; null: every one. */
  allowed(actor: Actor): readonly string[] | null {
    if (isBound(actor)) return [actor.tenantCode ?? ''];
    return originOf(actor) === 'console' ? this.#options.consoleTenants : null;
  }

  /** The tenants that a call over several of them sees; null for all. */
  tenants(actor: Actor, named: string | undefined): string[] | null {
    if (named !== undefined) return [this.tenant(actor, named)];
    return this.allowed(actor)?.slice() ?? null;
  }

  /**
   * The account that asks: in a portal session, and with a key, always itself.
   * @param named by the request; undefined: it does not say @throws AppError 400, 403 subject_mismatch
   */
  subject(actor: Actor, named: string | undefined): string {
    const own = isBound(actor) ? accountOf(actor) : null;
    if (own !== null) {
      if (named !== undefined && named !== own)
        throw new AppError(
          403,
          'subject_mismatch',
          'You ask with your own clearance only; leave the subject out or name yourself.',
        );
      return own;
    }
    if (named === undefined) throw fault('subject', 'asker_needed');
    return named;
  }

  /** What an account may see of a tenant. */
  async sightOf(tenantCode: string, subject: string): Promise<Viewer> {
    return { tenantCode, subject, maxRank: await this.#options.clearance.rankOf(tenantCode, subject) };
  }

  /**
   * For reading: the header `x-core-subject`, or `all_levels=1`, which only the service channel and the
   * console may send and which is audited before anything is read.
   * @param what the resource, for the audit
   * @param inQuery the account, where a link cannot send the header
   * @throws AppError 400 subject_required, 403
   */
  async reader(
    call: Asking,
    tenantCode: string,
    allLevels: boolean,
    what: string,
    inQuery?: string,
  ): Promise<Viewer> {
    const inHeader = subjectHeader(call.request.headers['x-core-subject']);
    if (inHeader !== undefined && inQuery !== undefined && inHeader !== inQuery)
      throw fault('asker', 'asker_other');
    const named = inHeader ?? inQuery;
    const bound = isBound(call.actor);
    if (allLevels && bound) throw forbidden('all_levels is for the service channel and the console.');
    if (allLevels && named !== undefined) throw fault('all_levels', 'levels_and_asker');
    if (!allLevels) {
      if (named === undefined && !bound)
        throw new AppError(
          400,
          'subject_required',
          'Say whose clearance applies: the header x-core-subject with the account that asks, or ' +
            'all_levels=1.',
        );
      return this.sightOf(tenantCode, this.subject(call.actor, named));
    }
    const stamp = stampOf(this.#options.clock);
    await this.#options.audit.add({
      id: stamp.newId(),
      at: stamp.now,
      actor: actorOf(call),
      action: 'kb.read_all_levels',
      subject: what,
      tenantCode: null,
      before: null,
      after: { tenantCode },
    });
    return { tenantCode, subject: null, maxRank: HIGHEST_RANK };
  }
}

/** Names of accounts: UTF-8 as it is, or percent-encoded. @throws AppError 400 */
function subjectHeader(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const raw = Buffer.from(Array.isArray(value) ? value.join(',') : value, 'latin1').toString('utf8');
  let text: string;
  try {
    text = decodeURIComponent(raw);
  } catch {
    // A percent sign that encodes nothing is part of the name.
    text = raw;
  }
  if (
    text === '' ||
    text.length > 128 ||
    text !== text.trim() ||
    !text.isWellFormed() ||
    /\p{Cc}|\ufffd/u.test(text)
  ) {
    throw fault('x-core-subject', 'account_name');
  }
  return text;
}
