import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { Clock } from '../../../common/clock.ts';
import type { SessionActor } from '../../../common/http/actor.ts';
import { notFound } from '../../../common/http/error.ts';
import { isDemanded } from '../factor/decide.ts';
import type { FactorKeeping } from '../factor/keeping.ts';
import type { Demand } from '../factor/record.ts';
import { factorDemanded } from '../factor/service.ts';
import { type OwnPasswordOptions, provePassword } from '../own-password.ts';
import type { PasskeyCeremony } from './ceremony.ts';
import type { PasskeyPort } from './port.ts';
import type { PasskeyRecord } from './record.ts';
import { passkeyKnown, passkeysMany, passkeysOff } from './refusals.ts';
import type { PasskeyMade } from './schema.ts';

export interface PasskeyServiceOptions extends OwnPasswordOptions {
  passkeys: PasskeyPort;
  /** null: passkeys cannot be at the address of this hub. */
  ceremony: PasskeyCeremony | null;
  keeping: FactorKeeping;
  demand: Demand;
  clock: Clock;
}

/** The passkeys of who is logged in. */
export class PasskeyService {
  readonly #options: PasskeyServiceOptions;

  constructor(options: PasskeyServiceOptions) {
    this.#options = options;
  }

  own({ userName }: SessionActor): Promise<PasskeyRecord[]> {
    return this.#options.passkeys.list(userName);
  }

  /** What the browser is asked. @throws AppError 403 invalid_credentials, 404 passkeys_off, 429 */
  async begin(session: SessionActor, password: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const ceremony = this.#ceremony();
    const { name } = await provePassword(this.#options, session, password);
    return ceremony.askNew(name, boundTo(session));
  }

  /**
   * What the browser made. Ends the other sessions of the user.
   * @returns its id, and recovery codes where it is the first second factor
   * @throws AppError 403 passkey_stale, passkey_refused, 404 passkeys_off, 409 passkey_known, passkeys_many
   */
  async add(
    session: SessionActor,
    { name, credential }: { name: string; credential: PasskeyMade },
    actor: string,
  ): Promise<{ id: string; codes: string[] }> {
    const { passkeys, keeping, clock } = this.#options;
    const read = await this.#ceremony().readNew(credential, boundTo(session));
    const { userName, sessionId } = session;
    const { codes, hashes: codeHashes } = keeping.newCodes(userName);
    const now = clock.now();
    const id = clock.newId();
    const passkey = { ...read, id, userName, name, createdAt: now, lastUsedAt: null };
    const came = await passkeys.add(passkey, { codeHashes, session: sessionId }, { now, actor });
    if (came.kind === 'known') throw passkeyKnown();
    if (came.kind === 'many') throw passkeysMany();
    return { id, codes: came.first ? codes : [] };
  }

  /** @throws AppError 403 invalid_credentials, 404, 429 */
  async rename(
    session: SessionActor,
    { id, name, password }: { id: string; name: string; password: string },
    actor: string,
  ): Promise<void> {
    const { passkeys, clock } = this.#options;
    await provePassword(this.#options, session, password);
    if (!(await passkeys.rename(session.userName, id, name, { now: clock.now(), actor }))) throw absent(id);
  }

  /**
   * Ends the other sessions.
   * @throws AppError 403 invalid_credentials, 404, 409 second_factor_demanded, 429
   */
  async remove(
    session: SessionActor,
    { id, password }: { id: string; password: string },
    actor: string,
  ): Promise<void> {
    const { passkeys, demand, clock } = this.#options;
    const { name, role } = await provePassword(this.#options, session, password);
    const what = { keep: session.sessionId, needed: isDemanded(demand, role) };
    const came = await passkeys.remove(name, id, what, { now: clock.now(), actor });
    if (came === 'none') throw absent(id);
    if (came === 'last') throw factorDemanded();
  }

  #ceremony(): PasskeyCeremony {
    const { ceremony } = this.#options;
    if (!ceremony) throw passkeysOff();
    return ceremony;
  }
}

const boundTo = ({ sessionId }: SessionActor): string => `session:${sessionId}`;
const absent = (id: string) => notFound(`The passkey ${id}`);
