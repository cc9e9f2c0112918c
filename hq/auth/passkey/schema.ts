import * as z from 'zod/mini';
import { upTo } from '../../../common/characters.ts';
import { passwordText } from '../../../common/core/session/schema.ts';
import { described } from '../../../common/http/described.ts';
import { placesMissing } from './record.ts';

const base64url = (longest: number) =>
  z.string().check(z.minLength(1), upTo(longest), z.regex(/^[A-Za-z0-9_-]+={0,2}$/));

/** A browser may name a credential with 1,023 bytes. */
const credentialId = base64url(1_368);
const clientData = base64url(4_096);
/** Browsers add members that say the same again, and with every year more. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
};

/** What `navigator.credentials.create` gave, as `toJSON` of browsers writes it. */
export const passkeyMade = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: clientData,
        attestationObject: base64url(16_384),
        transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8))),
      })
      .register(described, { id: 'PasskeyMadeResponse' }),
  })
  .register(described, { id: 'PasskeyMade' });
export type PasskeyMade = z.infer<typeof passkeyMade>;

/** What `navigator.credentials.get` gave. */
export const passkeyAnswer = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: clientData,
        authenticatorData: base64url(4_096),
        signature: base64url(8_192),
        userHandle: z.optional(z.nullable(base64url(128))),
      })
      .register(described, { id: 'PasskeyAnswerResponse' }),
  })
  .register(described, { id: 'PasskeyAnswer' });
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

const passkeyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(64));

export const newPasskey = z
  .strictObject({ name: passkeyName, credential: passkeyMade })
  .register(described, { id: 'NewPasskey' });

export const passkeyChange = z
  .strictObject({ name: passkeyName, current_password: passwordText })
  .register(described, { id: 'PasskeyChange' });

export const passkeyParams = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

export const passkeySignIn = z
  .strictObject({ credential: passkeyAnswer })
  .register(described, { id: 'PasskeySignIn' });

export const passkeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The host that it was made for. */
    host: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.nullable(z.string()),
  })
  .register(described, { id: 'Passkey' });

export const passkeysView = z
  .object({
    items: z.array(passkeyView),
    origin: z.nullable(z.string()),
    off: z.nullable(z.enum(placesMissing)),
  })
  .register(described, { id: 'Passkeys' });

/** What browsers take is theirs to say: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const passkeyOptions = z
  .object({ options: z.record(z.string(), z.unknown()) })
  .register(described, { id: 'PasskeyOptions' });

export const passkeyAddedView = z
  .object({ id: z.string(), recoveryCodes: z.array(z.string()) })
  .register(described, { id: 'PasskeyAdded' });
