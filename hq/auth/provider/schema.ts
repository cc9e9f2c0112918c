import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import { passwordLogins } from './record.ts';

/** The query of the address that the provider sent the browser back to. */
export const providerAnswer = z
  .strictObject({ query: z.string().check(z.minLength(1), z.maxLength(8192)) })
  .register(described, { id: 'ProviderAnswer' });

export const waysView = z
  .object({
    password: z.enum(passwordLogins),
    provider: z.nullable(z.string()),
    passkeys: z.nullable(z.string()),
  })
  .register(described, { id: 'WaysIn' });

export const goToView = z.object({ goTo: z.string() }).register(described, { id: 'GoTo' });

export const logoutView = z
  .object({ ended: z.boolean(), goTo: z.nullable(z.string()) })
  .register(described, { id: 'ProviderLogout' });
