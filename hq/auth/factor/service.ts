import encodeQR from 'qr';
import type { Clock } from '../../../common/clock.ts';
import type { SessionActor } from '../../../common/http/actor.ts';
import { AppError, conflict } from '../../../common/http/error.ts';
import { type OwnPasswordOptions, provePassword } from '../own-password.ts';
import { isDemanded, readTypedCode } from './decide.ts';
import type { FactorKeeping } from './keeping.ts';
import type { FactorPort } from './port.ts';
import type { SecondFactor } from './prove.ts';
import type { Demand } from './record.ts';
import { newTotpSecret, totpAddress, totpStep } from './totp.ts';

export interface FactorServiceOptions extends OwnPasswordOptions {
  factors: FactorPort;
  keeping: FactorKeeping;
  secondFactor: SecondFactor;
  demand: Demand;
  clock: Clock;
}

export interface OwnFactor {
  /** Whether the account has one; without it the provider of identities asks for what it wants. */
  password: boolean;
  demanded: boolean;
  totpSince: number | null;
  codesLeft: number;
}

/** The second factor of who is logged in. */
export class FactorService {
  readonly #options: FactorServiceOptions;

  constructor(options: FactorServiceOptions) {
    this.#options = options;
  }

  async own({ userName, role }: SessionActor): Promise<OwnFactor> {
    const [{ totp, codesLeft }, user] = await Promise.all([
      this.#options.factors.get(userName),
      this.#options.users.get(userName),
    ]);
    const password = (user?.passwordHash ?? null) !== null;
    const demanded = password && isDemanded(this.#options.demand, role);
    return { password, demanded, totpSince: totp?.since ?? null, codesLeft };
  }

  /**
   * A secret for an app, which holds once a code of it has come.
   * @throws AppError 403 invalid_credentials, 409 second_factor_set, 429
   */
  async begin(
    session: SessionActor,
    password: string,
  ): Promise<{ secret: string; address: string; qr: string }> {
    const { name } = await provePassword(this.#options, session, password);
    const { factors, keeping } = this.#options;
    const secret = newTotpSecret();
    if (!(await factors.begin(name, keeping.seal(secret, name))))
      throw conflict('second_factor_set', 'There is a second factor already. Remove it first.');
    const address = totpAddress(secret, name);
    return { secret, address, qr: encodeQR(address, 'svg') };
  }

  /**
   * The first code of the app. Ends the other sessions of the user.
   * @returns the recovery codes, this once
   * @throws AppError 403 second_factor_wrong, 409 no_second_factor, 429
   */
  async confirm({ userName, sessionId }: SessionActor, code: string, actor: string): Promise<string[]> {
    const { factors, keeping, secondFactor, clock } = this.#options;
    const { totp } = await factors.get(userName);
    if (!totp || totp.since !== null) throw notBegun();
    await secondFactor.count(userName);
    const typed = readTypedCode(code);
    const now = clock.now();
    const step = typed && totpStep(keeping.unseal(totp.sealed, userName), typed.code, now);
    if (step === null) throw new AppError(403, 'second_factor_wrong', 'That code is wrong.');
    const { codes, hashes: codeHashes } = keeping.newCodes(userName);
    const what = { sealed: totp.sealed, step, codeHashes, session: sessionId };
    if (!(await factors.confirm(userName, what, { now, actor }))) throw notBegun();
    await secondFactor.forget(userName);
    return codes;
  }

  /**
   * In place of those that there were. @throws AppError 403 invalid_credentials, 409 no_second_factor, 429
   */
  async renewCodes(session: SessionActor, password: string, actor: string): Promise<string[]> {
    const { name } = await provePassword(this.#options, session, password);
    const { factors, keeping, clock } = this.#options;
    const { codes, hashes } = keeping.newCodes(name);
    if (!(await factors.renewCodes(name, hashes, { now: clock.now(), actor }))) throw noFactor();
    return codes;
  }

  /**
   * The authenticator app; ends the other sessions.
   * @throws AppError 403 invalid_credentials, 409 no_second_factor, second_factor_demanded, 429
   */
  async remove(session: SessionActor, password: string, actor: string): Promise<void> {
    const { name, role } = await provePassword(this.#options, session, password);
    const { factors, demand, clock } = this.#options;
    const what = { keep: session.sessionId, needed: isDemanded(demand, role) };
    const came = await factors.remove(name, what, { now: clock.now(), actor });
    if (came === 'last') throw factorDemanded();
    if (came === 'none') throw noFactor();
  }
}

export const factorDemanded = (): AppError =>
  conflict(
    'second_factor_demanded',
    'A second factor is demanded here, and this is the last one. Set up another one first, or let whoever ' +
      'manages users reset yours.',
  );
const noFactor = (): AppError => conflict('no_second_factor', 'There is no second factor.');
const notBegun = (): AppError =>
  conflict('no_second_factor', 'No authenticator app waits to be proved. Begin again.');
