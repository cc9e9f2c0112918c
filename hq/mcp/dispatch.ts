import type { IncomingMessage } from 'node:http';
import { opens } from '../../common/http/access.ts';
import type { Actor } from '../../common/http/actor.ts';
import { forbidden } from '../../common/http/error.ts';
import { readParams, readTexts } from '../../common/http/query.ts';
import type { Reply, Route, Schema } from '../../common/http/route.ts';
import { validate } from '../../common/http/validate.ts';

/** Who calls, and the request by which it came. */
export interface Caller {
  actor: Extract<Actor, { kind: 'key' }>;
  ip: string;
  requestId: string;
  request: IncomingMessage;
}

/** Members of the path, the query or the body of a call, by name. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Makes a call of the API here that a caller could make by itself, with the same access and the same checks.
 * @throws AppError as the call by HTTP is answered
 */
export async function dispatch(route: Route, given: Members, caller: Caller): Promise<Reply> {
  const { scopes = [] } = route;
  if (!opens(caller.actor.scopes, scopes))
    throw forbidden(`This needs a key with the scope ${scopes.join(' or ')}.`);
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const rest = Object.entries(given).filter(([name, value]) => value !== undefined && !inPath.includes(name));
  const params = readParams(route, texts(inPath.map((name) => [name, given[name]])));
  const inQuery = route.method === 'GET';
  return route.handle({
    ...caller,
    params,
    query: route.query ? readTexts(route.query, inQuery ? texts(rest) : {}) : undefined,
    body: inQuery ? undefined : validate(route.body as Schema, Object.fromEntries(rest)),
  });
}

const texts = (members: readonly (readonly [string, unknown])[]): Record<string, string> =>
  Object.fromEntries(members.map(([name, value]) => [name, String(value ?? '')]));
