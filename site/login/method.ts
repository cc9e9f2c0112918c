import * as z from 'zod/mini';
import type { AdminKeyService } from '../../common/core/admin-key/service.ts';
import { type LoginMethod, loginMethod, sessionActor } from '../../common/core/session/login.ts';
import type { SessionPort } from '../../common/core/session/port.ts';
import type { SessionRecord } from '../../common/core/session/record.ts';
import { adminActor, CONFIGURED } from '../../common/http/access.ts';
import { described } from '../../common/http/described.ts';
import type { LoginCodes } from './codes.ts';

const text = (max: number) => z.optional(z.string().check(z.minLength(1), z.maxLength(max)));
const siteLogin = z
  .strictObject({ admin_key: text(1024), code: text(64) })
  .check(
    z.refine((body) => (body.admin_key === undefined) !== (body.code === undefined), {
      message: 'is required, or code in its place',
      path: ['admin_key'],
    }),
  )
  .register(described, { id: 'SiteLogin', example: { code: '7K2M-Q9TD' } });

/**
 * A site has no users: who holds an admin key is its operator, under the name of that key, and who has a code
 * of `fieldline-site login` under the name of who had it made.
 */
export function siteLoginMethod(
  keys: Pick<AdminKeyService, 'identify'>,
  codes: LoginCodes,
  sessions: SessionPort,
): LoginMethod {
  const whoOpens = async (
    body: { admin_key?: string | undefined; code?: string | undefined },
    ip: string,
  ) => {
    if (body.code !== undefined) return codes.take(body.code);
    const name = await keys.identify(body.admin_key ?? '', ip);
    return name === null ? null : adminActor(name);
  };
  const method = loginMethod(siteLogin, 'The admin key or the code is wrong.', (body) => ({
    name: CONFIGURED,
    open: async (draft, ip) => {
      const userName = await whoOpens(body, ip);
      if (userName === null) return null;
      const session: SessionRecord = {
        ...draft,
        userName,
        role: 'operator',
        tenantCode: null,
        permissions: null,
      };
      await sessions.create(session, sessionActor(userName, ip));
      return session;
    },
  }));
  return { ...method, unguessable: true };
}
