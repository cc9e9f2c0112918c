import type * as z from 'zod/mini';
import { adminActor, CONFIGURED } from '../../http/access.ts';
import type { Schema } from '../../http/route.ts';
import type { AdminKeyService } from '../admin-key/service.ts';
import type { SessionPort } from './port.ts';
import type { SessionDraft, SessionRecord } from './record.ts';
import { adminKeyLogin } from './schema.ts';

export interface LoginAttempt {
  /** Whom the caller claims to be; guesses are counted under it. */
  name: string;
  /**
   * Checks the credentials and stores the session in the same transaction as the last check. null: they are
   * wrong.
   */
  open(draft: SessionDraft, ip: string): Promise<SessionRecord | null>;
}

/** How one logs in to a program: with the admin key at a site, with name and password at headquarters. */
export interface LoginMethod {
  body: Schema;
  /** Said when the credentials are wrong; the same whatever is wrong with them. */
  refusal: string;
  attempt(body: unknown): LoginAttempt;
}

export function loginMethod<S extends Schema>(
  body: S,
  refusal: string,
  attempt: (body: z.infer<S>) => LoginAttempt,
): LoginMethod {
  return { body, refusal, attempt: attempt as (body: unknown) => LoginAttempt };
}

/** A site has no users: who holds an admin key is its operator, under the name of that key. */
export function adminKeyMethod(keys: Pick<AdminKeyService, 'identify'>, sessions: SessionPort): LoginMethod {
  return loginMethod(adminKeyLogin, 'The admin key is wrong.', (body) => ({
    name: CONFIGURED,
    open: async (draft, ip) => {
      const name = await keys.identify(body.admin_key, ip);
      if (name === null) return null;
      const session: SessionRecord = {
        ...draft,
        userName: adminActor(name),
        role: 'operator',
        tenantCode: null,
        permissions: null,
      };
      await sessions.create(session, sessionActor(session.userName, ip));
      return session;
    },
  }));
}

/** Who did it, for the audit. */
export const sessionActor = (name: string, ip: string): string => `user:${name} from ${ip || 'local socket'}`;
