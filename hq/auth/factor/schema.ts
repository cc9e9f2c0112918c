import * as z from 'zod/mini';
import { passwordText, secondFactorCode } from '../../../common/core/session/schema.ts';
import { described } from '../../../common/http/described.ts';

export const passwordProof = z
  .strictObject({ current_password: passwordText })
  .register(described, { id: 'PasswordProof' });

export const factorCode = z
  .strictObject({ code: secondFactorCode })
  .register(described, { id: 'FactorCode' });

export const factorView = z
  .object({
    password: z.boolean(),
    demanded: z.boolean(),
    totpSince: z.nullable(z.string()),
    recoveryCodesLeft: z.int(),
  })
  .register(described, { id: 'SecondFactor' });

export const newTotpView = z
  .object({ secret: z.string(), address: z.string(), qr: z.string() })
  .register(described, { id: 'NewAuthenticator' });

export const recoveryCodesView = z
  .object({ recoveryCodes: z.array(z.string()) })
  .register(described, { id: 'RecoveryCodes' });
