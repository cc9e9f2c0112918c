import type { Clock } from '../../common/clock.ts';
import { type Page, pagedList } from '../../common/cursor.ts';
import type { Permission } from '../../common/http/access.ts';
import type { Actor, SessionActor } from '../../common/http/actor.ts';
import { badRequest, conflict, forbidden, notFound } from '../../common/http/error.ts';
import { exceeds, namesOf, passwordFaults, permissionFaults, type Powers, userFaults } from './decide.ts';
import type { FactorPort } from './factor/port.ts';
import { type OwnPasswordOptions, provePassword } from './own-password.ts';
import type { UserFilter, UserRecord } from './port.ts';
import type { UserInput, UserPatch } from './schema.ts';
import { faultAt } from './user-fault-messages.ts';

const USERS = pagedList('users', ['string']);

export interface UserServiceOptions extends OwnPasswordOptions {
  factors: FactorPort;
  clock: Clock;
}

/** The users of the hub. */
export class UserService {
  readonly #options: UserServiceOptions;

  constructor(options: UserServiceOptions) {
    this.#options = options;
  }

  /** By name. @throws AppError 400 for another list's cursor */
  async list(filter: UserFilter, cursor: string | undefined, limit: number): Promise<Page<UserRecord>> {
    const after = USERS.positionOf(cursor)?.[0] ?? null;
    return USERS.page(await this.#options.users.list(filter, after, limit + 1), limit, ({ name }) => [name]);
  }

  /** @throws AppError 400, 403 when the caller would hand out more than it holds, 409 user_exists */
  async add(input: UserInput, caller: Actor, actor: string): Promise<UserRecord> {
    const faults = userFaults(input);
    if (faults.length > 0) throw badRequest(faults);
    const powers: Powers = { role: input.role, permissions: input.permissions ?? null };
    refuseExcess(caller, powers);
    const now = this.#options.clock.now();
    const user: UserRecord = {
      name: input.name.toLowerCase(),
      role: input.role,
      tenantCode: input.tenant_code ?? null,
      permissions: input.permissions ?? null,
      passwordHash: await this.#options.hasher.hash(input.password),
      ...{ issuer: null, subject: null, withdrawnAt: null, emergency: false },
      secondFactorSince: null,
      disabledAt: null,
      lastSeenAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.#options.users.add(user, actor);
    return user;
  }

  /** Disabling, or a new password, ends the user's sessions. @throws AppError 400, 403 as `add`, 404 */
  async change(name: string, patch: UserPatch, caller: Actor, actor: string): Promise<UserRecord> {
    const present = await this.#options.users.get(name.toLowerCase());
    if (!present) throw notFound(`The user ${name}`);
    const faults =
      patch.password === undefined
        ? []
        : passwordFaults(patch.password, namesOf(present.name, present.tenantCode), 'password');
    faults.push(...permissionFaults(present.role, patch.permissions ?? null));
    if (faults.length > 0) throw badRequest(faults);
    refuseExcess(caller, present);
    if (present.issuer !== null && (patch.password !== undefined || patch.emergency === true))
      throw conflict('user_of_provider', 'The provider of identities alone lets this user in.');
    refuseExcess(caller, {
      role: present.role,
      permissions: patch.permissions === undefined ? present.permissions : patch.permissions,
    });
    const changed = await this.#options.users.change(
      present.name,
      {
        ...(patch.disabled === undefined ? {} : { disabled: patch.disabled }),
        ...(patch.emergency === undefined ? {} : { emergency: patch.emergency }),
        ...(patch.permissions === undefined ? {} : { permissions: patch.permissions }),
        ...(patch.password === undefined
          ? {}
          : { passwordHash: await this.#options.hasher.hash(patch.password) }),
      },
      this.#options.clock.now(),
      actor,
    );
    if (!changed) throw notFound(`The user ${name}`);
    return changed;
  }

  /**
   * Takes the second factor away, so that its user can set up another one; ends all sessions.
   * @throws AppError 403 as `add`, 404, 409 no_second_factor
   */
  async resetSecondFactor(name: string, caller: Actor, actor: string): Promise<UserRecord> {
    const { users, factors, clock } = this.#options;
    const present = await users.get(name.toLowerCase());
    if (!present) throw notFound(`The user ${name}`);
    refuseExcess(caller, present);
    if (!(await factors.reset(present.name, { now: clock.now(), actor })))
      throw conflict('no_second_factor', 'This user has no second factor.');
    return { ...present, secondFactorSince: null };
  }

  /**
   * Ends the user's other sessions. @throws AppError 400, 403 invalid_credentials, 409 password_changed, 429
   */
  async changeOwnPassword(
    session: SessionActor,
    current: string,
    wanted: string,
    actor: string,
  ): Promise<void> {
    const faults = passwordFaults(wanted, namesOf(session.userName, session.tenantCode), 'new_password');
    if (wanted === current) faults.push(faultAt('new_password', 'password_same'));
    if (faults.length > 0) throw badRequest(faults);
    const user = await provePassword(this.#options, session, current);
    const change = {
      passwordHash: await this.#options.hasher.hash(wanted),
      ...(user.passwordHash !== null && { ifPasswordHash: user.passwordHash }),
      keepSession: session.sessionId,
    };
    if (!(await this.#options.users.change(user.name, change, this.#options.clock.now(), actor)))
      throw conflict('password_changed', 'The password was changed at the same time; log in again.');
  }
}

/** @throws AppError 403 */
function refuseExcess(caller: Actor, wanted: Powers): void {
  const holds: readonly Permission[] | null = caller.kind === 'session' ? caller.permissions : null;
  if (exceeds(holds, wanted))
    throw forbidden('That user has, or would have, permissions that you do not hold yourself.');
}
