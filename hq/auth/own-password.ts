import type { SessionService } from '../../common/core/session/service.ts';
import type { SessionActor } from '../../common/http/actor.ts';
import { AppError } from '../../common/http/error.ts';
import type { PasswordHasher } from './password.ts';
import type { UserPort, UserRecord } from './port.ts';

export interface OwnPasswordOptions {
  users: UserPort;
  hasher: PasswordHasher;
  sessions: SessionService;
}

/**
 * The holder of a session proves the password once more, so that a browser that was left open is not enough.
 * @throws AppError 403 invalid_credentials, 429 too_many_attempts
 */
export async function provePassword(
  { users, hasher, sessions }: OwnPasswordOptions,
  session: SessionActor,
  password: string,
): Promise<UserRecord> {
  const user = await sessions.guardPassword(session.sessionId, async () => {
    const found = await users.get(session.userName);
    return (await hasher.verify(password, found?.passwordHash ?? null)).right ? found : null;
  });
  if (!user) throw new AppError(403, 'invalid_credentials', 'The present password is wrong.');
  return user;
}
