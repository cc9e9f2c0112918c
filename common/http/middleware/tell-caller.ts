import { AppError } from '../error.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/** Tells how a request came out whose key is known, whether it was proven or only claimed. */
export const tellCaller =
  (heard: NonNullable<Route['heard']>): Middleware =>
  async ({ state }, next) => {
    const keyId = (): string | undefined =>
      state.credentials && 'key' in state.credentials ? state.credentials.key?.keyId : undefined;
    try {
      await next();
    } catch (error) {
      const claimed = keyId();
      if (claimed !== undefined && error instanceof AppError) heard(claimed, error);
      throw error;
    }
    const proven = keyId();
    if (proven !== undefined) heard(proven, null);
  };
