import { FactorKeeping } from '../auth/factor/keeping.ts';
import { SecondFactor } from '../auth/factor/prove.ts';
import type { Base } from './base.ts';

/** What asks for second factors, and how they are kept; it keeps nothing itself. */
export function secondFactorOf({ store, secrets, config, clock }: Base): {
  keeping: FactorKeeping;
  secondFactor: SecondFactor;
} {
  const keeping = new FactorKeeping(secrets.masterKey);
  const { factors, loginAttempts: attempts } = store;
  const secondFactor = new SecondFactor({ factors, attempts, keeping, demand: config.secondFactor, clock });
  return { keeping, secondFactor };
}
