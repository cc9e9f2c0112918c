// What a person is told whom the provider, or what it says, does not let in. Nothing of it changes anything.
import { AppError } from '../../../common/http/error.ts';
import type { RightsFault } from './record.ts';

export const providerOff = (): AppError =>
  new AppError(404, 'provider_off', 'This hub has no provider of identities (CORE_OIDC_ISSUER).');

export const providerAway = (cause: unknown): AppError =>
  new AppError(
    502,
    'provider_away',
    'The provider of identities cannot be reached, or does not answer as it should. Try again, or use an ' +
      'emergency account.',
    { cause },
  );

export const signInStale = (): AppError =>
  new AppError(
    403,
    'sign_in_stale',
    'This sign-in was used already, took too long, or was begun in another browser. Begin again.',
  );

/** The provider, or the person there, said no. */
export const providerDenied = (cause: unknown): AppError =>
  new AppError(403, 'provider_denied', 'The provider of identities did not let you in.', { cause });

/** A wrong key, an expired code, another issuer: what the provider sent does not hold. */
export const answerUntrue = (cause: unknown): AppError =>
  new AppError(
    403,
    'provider_answer_refused',
    'What the provider of identities sent cannot be trusted, or is too old. Begin again; if it stays so, ' +
      'tell who runs this hub.',
    { cause },
  );

const FAULTS: Record<RightsFault, string> = {
  no_name: 'The provider says no name for you that can be used here.',
  no_role: 'Nothing that the provider says of you opens anything here.',
  no_tenant: 'The provider says no tenant for you that is known here.',
  several_tenants: 'The provider says several tenants for you, and a customer is of one.',
};

export const noRights = (fault: RightsFault): AppError =>
  new AppError(403, `provider_${fault}`, `${FAULTS[fault]} Ask who gives out accounts.`);

export const accountDisabled = (): AppError =>
  new AppError(403, 'account_disabled', 'Your account was disabled at this hub.');

export const nameTaken = (): AppError =>
  new AppError(
    409,
    'provider_name_taken',
    'There is another account of your name here, which is not of the provider. Ask who manages users.',
  );
