import * as z from 'zod/mini';
import { sessionOf } from '../../common/core/session/routes.ts';
import { viewPage } from '../../common/cursor.ts';
import { permissionList, permissionsOf } from '../../common/http/access.ts';
import { actorOf } from '../../common/http/caller.ts';
import { limitParam, listOf, pageOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { UserRecord } from './port.ts';
import { ownPasswordInput, permissionView, userInput, userParams, userPatch, userView } from './schema.ts';
import type { UserService } from './service.ts';

const usersQuery = z.strictObject({
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

/** The users of the hub, and one's own password. */
export function userRoutes(service: UserService): Route[] {
  const access = ['admin', 'session'] as const;
  const permission = 'users.manage';
  return [
    route({
      method: 'POST',
      path: '/api/core/users',
      tag: 'Users',
      access,
      permission,
      body: userInput,
      summary:
        'Add a user: an operator, or a customer of one tenant; without permissions it has those of its role',
      description:
        'Nobody hands out a permission that they do not hold themselves, 403. A password has at least ' +
        '10 characters and is not easy to guess: no common password, name, date, sequence or ' +
        'repetition makes it up.',
      replies: { 201: { description: 'Added', schema: userView } },
      errors: { 409: 'user_exists', 503: 'overloaded' },
      handle: async (call) => ({
        status: 201,
        body: viewOf(await service.add(call.body, call.actor, actorOf(call))),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/core/users',
      tag: 'Users',
      access,
      permission,
      query: usersQuery,
      summary: 'List the users, by name',
      description: '`q` finds a part of the name or the tenant.',
      replies: { 200: { description: 'A page of users', schema: pageOf(userView) } },
      handle: async ({ query: { q, cursor, limit } }) => ({
        body: viewPage(await service.list({ text: q ?? null }, cursor, limit), viewOf),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/core/permissions',
      tag: 'Users',
      access,
      permission,
      summary: 'What users can be permitted, by name',
      description:
        'Operators have every permission unless they are given a list of their own. `customers` says what ' +
        'customers may hold of it: `standard` is theirs unless limited, `grantable` can be given to them, ' +
        '`never` not.',
      replies: { 200: { description: 'The permissions', schema: listOf(permissionView) } },
      handle: () => ({ body: { items: permissionList, nextCursor: null, hasMore: false } }),
    }),
    route({
      method: 'PATCH',
      path: '/api/core/users/{name}',
      tag: 'Users',
      access,
      permission,
      params: userParams,
      body: userPatch,
      summary:
        'Disable or enable a user, change its permissions or password; disabling and a new password ' +
        'end its sessions at once',
      description:
        'An `emergency` account logs in with its password also where `CORE_PASSWORD_LOGIN` lets the ' +
        'provider of identities alone let people in; that is the alarm `emergency_login`. A user of ' +
        'the provider has no password and is no emergency account, 409.',
      replies: { 200: { description: 'The user', schema: userView } },
      errors: { 404: 'not_found', 409: 'user_of_provider', 503: 'overloaded' },
      handle: async (call) => ({
        body: viewOf(await service.change(call.params.name, call.body, call.actor, actorOf(call))),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/users/{name}/second_factor/reset',
      tag: 'Users',
      access,
      permission,
      params: userParams,
      summary: 'Take the second factor of a user away, who can then set up another; the sessions end',
      replies: { 200: { description: 'The user', schema: userView } },
      errors: { 404: 'not_found', 409: 'no_second_factor' },
      handle: async (call) => ({
        body: viewOf(await service.resetSecondFactor(call.params.name, call.actor, actorOf(call))),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/session/password',
      tag: 'Sessions',
      access: ['session'],
      permission: 'self',
      body: ownPasswordInput,
      summary: 'Change your own password; your other sessions end',
      errors: {
        403: 'invalid_credentials, csrf',
        409: 'password_changed',
        429: 'too_many_attempts',
        503: 'overloaded',
      },
      replies: { 200: { description: 'Changed', schema: z.object({ changed: z.boolean() }) } },
      handle: async (call) => {
        await service.changeOwnPassword(
          sessionOf(call.actor),
          call.body.current_password,
          call.body.new_password,
          actorOf(call),
        );
        return { body: { changed: true } };
      },
    }),
  ];
}

const viewOf = (user: UserRecord): z.infer<typeof userView> => ({
  name: user.name,
  role: user.role,
  tenantCode: user.tenantCode,
  permissions: permissionsOf(user.role, user.permissions),
  limited: user.permissions !== null,
  secondFactorSince: formatTimeOrNull(user.secondFactorSince),
  emergency: user.emergency,
  ofProvider: user.issuer !== null,
  disabledAt: formatTimeOrNull(user.disabledAt),
  lastSeenAt: formatTimeOrNull(user.lastSeenAt),
  createdAt: formatTime(user.createdAt),
});
