import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { permissionsOf } from '../../http/access.ts';
import type { SessionActor } from '../../http/actor.ts';
import type { SessionLookup } from '../../http/auth.ts';
import { AppError, notFound } from '../../http/error.ts';
import { networkOf } from '../../http/outbound/network.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { newSecret } from '../../secret/secret.ts';
import type { AuditPort } from '../audit/port.ts';
import { countAttempt, OWN_ATTEMPTS, SHARED_ATTEMPTS } from './attempt.ts';
import { ABSOLUTE_MS, isLive, touchIsDue } from './decide.ts';
import { DeviceMarks } from './device.ts';
import type { LoginMethod } from './login.ts';
import type { LoginAttemptPort, SessionPort } from './port.ts';
import type { AttemptScope, SessionDraft, SessionRecord } from './record.ts';

export interface SessionServiceOptions {
  sessions: SessionPort;
  attempts: LoginAttemptPort;
  audit: AuditPort;
  method: LoginMethod;
  /** Seals the marks of known browsers; the same for every process of one installation. */
  deviceSecret: Buffer;
  clock: Clock;
  log: Logger;
}

/** From where somebody tries to log in. */
export interface LoginOrigin {
  ip: string;
  userAgent: string | null;
  /** Mark of an earlier login from the same browser. */
  device: string | undefined;
}

export interface LoggedIn {
  session: SessionRecord;
  /** In clear, this once; for the cookie. */
  token: string;
  device: string;
}

const SWEEP_EVERY_MS = 3_600_000;

/** Login, logout and the sessions that stand. */
export class SessionService implements SessionLookup {
  readonly counts = { started: 0, wrong: 0, heldUp: 0 };
  readonly #options: SessionServiceOptions;
  #marks: DeviceMarks;
  #sweeper: Loop;

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    this.#marks = new DeviceMarks(options.deviceSecret);
    this.#sweeper = new Loop({
      name: 'session sweep',
      interval: SWEEP_EVERY_MS,
      log: options.log,
      round: () => this.sweep(),
      monotonic: () => options.clock.monotonic(),
    });
  }

  start(): void {
    this.#sweeper.start();
  }

  async stop(): Promise<void> {
    await this.#sweeper.stop();
  }

  /** Removes what is past its time. */
  async sweep(): Promise<void> {
    const now = this.#options.clock.now();
    await this.#options.sessions.sweep(now);
    await this.#options.attempts.sweep(now);
  }

  /**
   * The same answer, as late, for a name that does not exist and for a wrong password.
   * @throws AppError 401 invalid_credentials, 429 too_many_attempts
   */
  async login(body: unknown, origin: LoginOrigin): Promise<LoggedIn> {
    const attempt = this.#options.method.attempt(body);
    const { own, shared } = this.#scopes(attempt.name, origin);
    const { unguessable = false } = this.#options.method;
    if (!unguessable) await this.holdUp([...own, ...shared]);
    const token = newSecret('flx_');
    const opened = await attempt.open(this.#draft(token, origin), origin.ip);
    if (!opened && unguessable) await this.holdUp([...own, ...shared]);
    if (!opened) throw await this.refuse(attempt.name, origin, this.#wrong());
    const [ownScopes, sharedScopes] = [scopesOf(own), scopesOf(shared)];
    if ('wanting' in opened) {
      // Right as far as it went. That it is counted for the name stays, or guesses at the rest would be free.
      await this.#options.attempts.succeeded([], sharedScopes);
      throw opened.guessed ? await this.refuse(attempt.name, origin, opened.wanting) : opened.wanting;
    }
    if (!unguessable) await this.#options.attempts.succeeded(ownScopes, sharedScopes);
    this.counts.started += 1;
    return { session: opened, token, device: this.#marks.issue(attempt.name) };
  }

  /** Starts a session of somebody who has proved another way who they are. @param open stores it */
  async enter(origin: LoginOrigin, open: (draft: SessionDraft) => Promise<SessionRecord>): Promise<LoggedIn> {
    const token = newSecret('flx_');
    const session = await open(this.#draft(token, origin));
    this.counts.started += 1;
    return { session, token, device: this.#marks.issue(session.userName) };
  }

  /** Notes that a login came to nothing. @param name whom the caller claims to be @returns the refusal */
  async refuse(name: string, origin: LoginOrigin, refusal: AppError): Promise<AppError> {
    this.counts.wrong += 1;
    this.#options.log.warn({ user: name, ip: origin.ip, code: refusal.code }, 'a login was refused');
    await this.#options.audit.add({
      id: this.#options.clock.newId(),
      at: this.#options.clock.now(),
      actor: `public from ${origin.ip || 'local socket'}`,
      action: 'session.refused',
      subject: `user:${name}`,
      tenantCode: null,
      before: null,
      after: null,
    });
    return refusal;
  }

  /** Counts an attempt at a password. @throws AppError 429 too_many_attempts, with the seconds to wait */
  async holdUp(scopes: readonly AttemptScope[]): Promise<void> {
    const now = this.#options.clock.now();
    const refused = await countAttempt(this.#options.attempts, scopes, now);
    if (!refused) return;
    this.counts.heldUp += 1;
    throw refused;
  }

  /** The holder of a live session proves the password again; guesses are counted to that session alone. */
  async guardPassword<T>(sessionId: string, check: () => Promise<T | null>): Promise<T | null> {
    const scope = `session:${sessionId}`;
    await this.holdUp([{ scope, ...OWN_ATTEMPTS }]);
    const result = await check();
    if (result !== null) await this.#options.attempts.succeeded([scope], []);
    return result;
  }

  /** Who holds the token; null when its session was ended or is past its time. */
  async identify(token: string): Promise<SessionActor | null> {
    const session = await this.#options.sessions.find(hash('sha256', token, 'hex'));
    const now = this.#options.clock.now();
    if (!session || !isLive(session, now)) return null;
    if (touchIsDue(session, now)) {
      // The use is noted when it can be: a full disk must not lock out the technician who comes to look at
      // it.
      await this.#options.sessions
        .touch(session.id, now)
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error }, 'the use of a session could not be noted'),
        );
    }
    return {
      kind: 'session',
      name: `user:${session.userName}`,
      tenantCode: session.tenantCode,
      userName: session.userName,
      role: session.role,
      permissions: permissionsOf(session.role, session.permissions),
      sessionId: session.id,
      expiresAt: session.expiresAt,
    };
  }

  /** @param userName null: everyone's */
  list(userName: string | null, limit: number): Promise<SessionRecord[]> {
    return this.#options.sessions.list(userName, this.#options.clock.now(), limit);
  }

  /** @param userName only if it is this user's; null: anyone's @throws AppError 404 */
  async end(id: string, userName: string | null, actor: string): Promise<void> {
    if (!(await this.#options.sessions.end(id, userName, this.#options.clock.now(), actor)))
      throw notFound(`The session ${id}`);
  }

  /** Ends the sessions of a user. @param except id of the one that stays; null: none @returns how many */
  endAllOf(userName: string, except: string | null, actor: string): Promise<number> {
    return this.#options.sessions.endAllOf(userName, except, this.#options.clock.now(), actor);
  }

  #scopes(name: string, origin: LoginOrigin): { own: AttemptScope[]; shared: AttemptScope[] } {
    const known = this.#marks.read(origin.device, name);
    if (known !== null) return { own: [{ scope: `device:${known}`, ...OWN_ATTEMPTS }], shared: [] };
    const address = networkOf(origin.ip);
    const pair = hash('sha256', `${name.toLowerCase()}\n${address}`, 'hex');
    return {
      own: [{ scope: `name:${pair}`, ...OWN_ATTEMPTS }],
      shared: [{ scope: `address:${address}`, ...SHARED_ATTEMPTS }],
    };
  }

  #draft(token: string, origin: LoginOrigin): SessionDraft {
    const now = this.#options.clock.now();
    return {
      id: this.#options.clock.newId(),
      tokenHash: hash('sha256', token, 'hex'),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + ABSOLUTE_MS,
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, 256) ?? null,
    };
  }

  #wrong(): AppError {
    return new AppError(401, 'invalid_credentials', this.#options.method.refusal);
  }
}

const scopesOf = (scopes: readonly AttemptScope[]): string[] => scopes.map(({ scope }) => scope);
