import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { tenantCode } from '../event/schema.ts';
import { DIRECTORY_PREFIX, namesMachine, readHost, SECRET_NAME } from './decide.ts';
import { secretUses } from './record.ts';

const MACHINE =
  'may not name a file or variable of the machine (file:, env: and cred: are for its configuration): ' +
  'make a secret with PUT /api/core/secrets/{name} and give its name';
const NAME =
  'must be the name of a secret that was made with PUT /api/core/secrets/{name}, or ' +
  `${DIRECTORY_PREFIX} and the name of a file in CORE_SECRETS_DIR; never the secret itself`;

const nameOf = (ref: string): string =>
  ref.startsWith(DIRECTORY_PREFIX) ? ref.slice(DIRECTORY_PREFIX.length) : ref;

/** A reference to a secret as the API takes it. */
export const secretRef = z.string().check(
  z.superRefine((ref, context) => {
    if (namesMachine(ref)) context.addIssue(MACHINE);
    else if (!SECRET_NAME.test(nameOf(ref))) context.addIssue(NAME);
  }),
);

const secretName = z
  .string()
  .check(z.regex(SECRET_NAME, 'must be letters, digits, ".", "_" and "-", at most 64'));
export const secretParams = z.strictObject({ name: secretName });
export const secretsQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });

/** Body of PUT /api/core/secrets/{name}. */
export const secretInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    use: z.enum(secretUses),
    host: z.pipe(
      z.string().check(
        z.maxLength(255),
        z.refine(
          (text) => readHost(text) !== null,
          'must be a host, with its port where the address names one; :80 for an http:// address without one',
        ),
      ),
      z.transform((text: string): string => readHost(text) ?? text),
    ),
    // One line: it goes into headers and signatures.
    secret: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(2048),
        z.regex(/^[^\u0000-\u001f\u007f]+$/, 'must be one line without control characters'),
      ),
  })
  .register(described, { id: 'NewSecret' });
export type SecretInput = z.infer<typeof secretInput>;

export const secretView = z
  .object({
    name: z.string(),
    tenantCode: z.nullable(z.string()),
    use: z.enum(secretUses),
    host: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'Secret' });
