// How people log in: by password and second factor, and by the provider of identities.
import type { IncomingMessage } from 'node:http';
import type { Core } from '../../common/core/core.ts';
import type { LoginMethod } from '../../common/core/session/login.ts';
import { isSecure } from '../../common/http/outbound/transport.ts';
import { counter } from '../../common/metrics.ts';
import { readSecret } from '../../common/secret/secret.ts';
import { EmergencyAlarm } from '../auth/emergency.ts';
import { FactorKeeping } from '../auth/factor/keeping.ts';
import { SecondFactor } from '../auth/factor/prove.ts';
import { factorRoutes } from '../auth/factor/routes.ts';
import { FactorService } from '../auth/factor/service.ts';
import { passwordMethod } from '../auth/login.ts';
import { PasskeyCeremony } from '../auth/passkey/ceremony.ts';
import { passkeyRoutes } from '../auth/passkey/routes.ts';
import { PasskeyService } from '../auth/passkey/service.ts';
import { PasskeySignIn } from '../auth/passkey/sign-in.ts';
import { ProviderClient } from '../auth/provider/client.ts';
import { providerRoutes } from '../auth/provider/routes.ts';
import { ProviderService } from '../auth/provider/service.ts';
import { userRoutes } from '../auth/routes.ts';
import { UserService } from '../auth/service.ts';
import { createHttpClient } from '../http-client.ts';
import type { Base, HubModule } from './base.ts';

/** What asks for second factors, and how they are kept; it keeps nothing itself. */
function secondFactorOf({ store, secrets, config, clock }: Base): {
  keeping: FactorKeeping;
  ceremony: PasskeyCeremony | null;
  secondFactor: SecondFactor;
} {
  const keeping = new FactorKeeping(secrets.masterKey);
  const { factors, passkeys, loginAttempts: attempts } = store;
  const { secondFactor: demand, passkeys: place } = config.signIn;
  const ceremony =
    typeof place === 'string' ? null : new PasskeyCeremony({ place, passkeys, keeping, clock });
  const secondFactor = new SecondFactor({ factors, attempts, keeping, demand, ceremony, clock });
  return { keeping, ceremony, secondFactor };
}

const emergencyOf = ({ store, config, clock }: Base): EmergencyAlarm =>
  new EmergencyAlarm({ alarms: store.alarms, audit: store.audit, clock, instance: config.instance });

/** Login with name and password. */
export function passwordsOf(base: Base): LoginMethod {
  const { store, hasher, config } = base;
  return passwordMethod({
    users: store.users,
    hasher,
    secondFactor: secondFactorOf(base).secondFactor,
    passwords: config.signIn.passwords,
    emergency: emergencyOf(base),
  });
}

/** The users, their second factors and passkeys, and the provider of identities. */
export function usersOf(base: Base, core: Core): HubModule {
  const { config, store, hasher, clock } = base;
  const { users, factors, passkeys } = store;
  const own = { users, factors, hasher, sessions: core.sessions, clock };
  const { keeping, ceremony, secondFactor } = secondFactorOf(base);
  const { secondFactor: demand, passkeys: place, passwords } = config.signIn;
  const service = new FactorService({ ...own, keeping, secondFactor, demand });
  const provider = providerOf(base, core);
  const secure = (request: IncomingMessage): boolean => isSecure(request, config.trustedProxies);
  const { sessions } = core;
  const signIn =
    ceremony &&
    new PasskeySignIn({
      ...{ ceremony, users, sessions, attempts: store.loginAttempts, passwords, clock },
      emergency: emergencyOf(base),
    });
  return {
    routes: [
      ...userRoutes(new UserService(own)),
      ...factorRoutes(service),
      ...passkeyRoutes({
        service: new PasskeyService({ ...own, passkeys, ceremony, keeping, demand }),
        ...{ place, signIn, secure },
      }),
      ...providerRoutes({ provider, passwords, passkeys: signIn?.origin ?? null, sessions, secure }),
    ],
    metrics: [
      counter(
        'fieldline_provider_sign_ins_refused_total',
        'Sign-ins by the provider of identities that came to nothing',
        () => provider?.counts.refused ?? 0,
      ),
    ],
  };
}

function providerOf(
  { config, store, secrets, clock, log, lifecycle }: Base,
  core: Core,
): ProviderService | null {
  const { provider } = config.signIn;
  if (provider === null) return null;
  const client = new ProviderClient({
    config: provider,
    secret: () =>
      provider.clientSecretRef === null ? null : readSecret(provider.clientSecretRef, secrets.core.sources),
    http: createHttpClient(provider.networks),
    monotonic: () => clock.monotonic(),
  });
  lifecycle.onStop('provider of identities', () => client.close());
  return new ProviderService({
    ...{ config: provider, client, logins: store.provider, attempts: store.loginAttempts },
    ...{ sessions: core.sessions, masterKey: secrets.masterKey, clock, log },
  });
}
