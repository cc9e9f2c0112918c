import type { Authenticator } from '../auth.ts';
import type { AnswerRoom } from '../body/answers.ts';
import { HeldCall } from '../body/held.ts';
import { isLocal } from '../listen.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/** For routes that hold calls: the handler asks for `call.held` where it does. */
export const holdCalls =
  (route: Route, authenticator: Authenticator, answers: AnswerRoom): Middleware =>
  ({ state, req }, next) => {
    const known = async (): Promise<boolean> => {
      const credentials = await authenticator.identify(req, route, isLocal(req));
      return 'actor' in credentials || credentials.key !== null;
    };
    state.held = () => new HeldCall({ request: req, ip: state.ip, answers, known });
    return next();
  };
