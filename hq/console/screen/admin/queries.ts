import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { readAll } from '../../csv/pages.ts';
import { useGrowing } from '../../list/growing.ts';

export type User = Answer<'/api/core/users', 'get'>['items'][number];
export type AuditEntry = Answer<'/api/core/audit', 'get'>['items'][number];

const USERS_PAGE = 50;

/** By name. @param q a part of the name or the tenant; undefined: every user */
export const useUsers = (q: string | undefined) =>
  useGrowing({
    key: ['users', { q }],
    fetch: (cursor) => {
      const query = {
        limit: USERS_PAGE,
        ...(q && { q }),
        ...(cursor !== null && { cursor: String(cursor) }),
      };
      return answerOf(api.GET('/api/core/users', { params: { query } }));
    },
    idOf: nameOf,
  });
/** A user as it is now; undefined: there is none, or more than a page of names have this one in them. */
export async function fetchUser(name: string): Promise<User | undefined> {
  const query = { q: name, limit: 1000 };
  const { items } = await answerOf(api.GET('/api/core/users', { params: { query } }));
  return items.find((one) => one.name === name);
}
const nameOf = ({ name }: User): string => name;

/** Those of everyone, for counting who holds a permission; `cut` when there are more than are counted. */
export const useEveryUser = () =>
  useQuery({
    queryKey: ['users', 'all'],
    queryFn: () =>
      readAll<User>(async (cursor) => {
        const query = { limit: 1000, ...(cursor !== null && { cursor }) };
        const { items, nextCursor } = await answerOf(api.GET('/api/core/users', { params: { query } }));
        return { items, next: nextCursor };
      }),
  });

/** Live ones, last used first; only one's own without the permission to manage users. */
export const useSessions = () =>
  useQuery({
    ...LIVE,
    queryKey: ['sessions'],
    queryFn: () => answerOf(api.GET('/api/core/sessions', { params: { query: { limit: 1000 } } })),
  });
