import {
  type LoginMethod,
  loginMethod,
  sessionActor,
  type Wanting,
} from '../../common/core/session/login.ts';
import type { SessionDraft, SessionRecord } from '../../common/core/session/record.ts';
import type { EmergencyAlarm } from './emergency.ts';
import { SECOND_FACTOR_WANTS, type SecondFactor } from './factor/prove.ts';
import type { PasswordHasher } from './password.ts';
import type { UserPort, UserRecord } from './port.ts';
import type { PasswordLogins } from './provider/record.ts';
import { passwordLogin } from './schema.ts';

/**
 * A user may be changed between the check of the password and the start of the session; then it is checked
 * once more.
 */
const TRIES = 2;

export interface PasswordMethodOptions {
  users: UserPort;
  hasher: PasswordHasher;
  secondFactor: SecondFactor;
  passwords: PasswordLogins;
  emergency: EmergencyAlarm;
}

/** Login with name and password; where the provider alone lets people in, for emergency accounts. */
export function passwordMethod({
  users,
  hasher,
  secondFactor,
  passwords,
  emergency,
}: PasswordMethodOptions): LoginMethod {
  const method = loginMethod(
    passwordLogin,
    'The name or the password is wrong, or the user may not log in.',
    (body) => {
      const name = body.name.toLowerCase();
      const tryOnce = async (
        draft: SessionDraft,
        ip: string,
      ): Promise<SessionRecord | Wanting | 'wrong' | 'changed'> => {
        const user = await users.get(name);
        const { right, stale } = await hasher.verify(body.password, user?.passwordHash ?? null);
        if (!user || !right || user.passwordHash === null || user.disabledAt !== null) return 'wrong';
        if (!ofTenant(user, body.tenant) || (passwords === 'emergency' && !user.emergency)) return 'wrong';
        const proved = await secondFactor.prove(user, body);
        if ('wanting' in proved) return proved;
        const { passwordHash: kept } = user;
        const passwordHash = stale ? await rehashed(kept, body.password) : kept;
        const login = { name, passwordHash, ...proved };
        const session = await users.startSession(login, draft, sessionActor(name, ip));
        if (session && proved.proof) await secondFactor.forget(name);
        if (session && user.emergency) await emergency.used(name, ip);
        return session ?? 'changed';
      };
      const rehashed = async (kept: string, password: string): Promise<string> => {
        const fresh = await hasher.hash(password);
        await users.rehash(name, kept, fresh);
        return fresh;
      };
      return {
        name,
        open: async (draft, ip) => {
          for (let attempt = 0; attempt < TRIES; attempt += 1) {
            const outcome = await tryOnce(draft, ip);
            if (typeof outcome === 'object') return outcome;
            if (outcome === 'wrong') return null;
          }
          return null;
        },
      };
    },
  );
  return { ...method, wants: SECOND_FACTOR_WANTS };
}

function ofTenant(user: UserRecord, tenant: string | undefined): boolean {
  return tenant === undefined || user.tenantCode === tenant;
}
