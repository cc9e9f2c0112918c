import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import type { Authenticator } from '../auth.ts';
import { awaitWhileItComes } from '../body/arrival.ts';
import { DEFAULT_MAX_BODY, readStream } from '../body/body.ts';
import type { Route, StreamedBody } from '../route.ts';
import type { BodyDigest } from '../signing/signature.ts';
import type { Context, Middleware } from '../state.ts';

const NOBODY: Actor = { kind: 'public', name: 'public', tenantCode: null };

/** Hands the unread body over to a route that reads it itself; a holder of a key has proved nothing yet. */
export const handOverBody =
  (route: Route, authenticator: Authenticator): Middleware =>
  async ({ state, req }, next) => {
    const stream = streamOf(route, { state, req }, authenticator);
    if ('actor' in state.credentials) awaitWhileItComes(req);
    else if (!takesKeys(route)) stream.prove(await digestOf(stream));
    state.actor = NOBODY;
    state.stream = stream;
    await next();
  };

/**
 * Settles who sends a body that is too large to be held until a signature over it is checked: a route with
 * such bodies takes no signing keys. One that is shown must still be proved before it is refused.
 */
export const settleCaller =
  (route: Route, authenticator: Authenticator): Middleware =>
  async ({ state, req }, next) => {
    const { credentials } = state;
    if ('actor' in credentials) {
      state.actor = credentials.actor;
      awaitWhileItComes(req);
    } else {
      const stream = streamOf(route, { state, req }, authenticator);
      state.actor = stream.prove(await digestOf(stream));
    }
    await next();
  };

function streamOf(
  route: Route,
  { state, req }: Pick<Context, 'req' | 'state'>,
  authenticator: Authenticator,
): StreamedBody {
  const { credentials } = state;
  return {
    read: () => readStream(req, route.maxBody ?? DEFAULT_MAX_BODY),
    claimedTenant:
      'key' in credentials ? (credentials.key?.tenantCode ?? null) : credentials.actor.tenantCode,
    prove: (digest) => authenticator.verify(credentials, req, digest),
  };
}

const takesKeys = ({ access }: Route): boolean =>
  access.some((way) => way === 'node' || way === 'site' || way === 'consumer');

/**
 * Reads the body for its digest alone: until it is proved that the holder of the key sent it, nobody is told
 * that the key is not for the call.
 */
async function digestOf(stream: StreamedBody): Promise<BodyDigest> {
  const hash = createHash('sha256');
  for await (const part of stream.read()) hash.update(part);
  return { sha256: hash.digest('hex') };
}
