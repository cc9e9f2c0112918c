import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { tenantCode } from '../event/schema.ts';
import { DIRECTORY_PREFIX, MAKE_SECRET, namesMachine, readHost, SECRET_NAME } from './decide.ts';
import { secretUses } from './record.ts';
import { saying } from './secret-fault-messages.ts';

const nameOf = (ref: string): string =>
  ref.startsWith(DIRECTORY_PREFIX) ? ref.slice(DIRECTORY_PREFIX.length) : ref;

/** A reference to a secret as the API takes it. */
export const secretRef = z.string().check(
  z.refine((ref) => !namesMachine(ref), saying('secret_of_machine', { call: MAKE_SECRET })),
  z.refine(
    (ref) => namesMachine(ref) || SECRET_NAME.test(nameOf(ref)),
    saying('secret_name', { call: MAKE_SECRET, prefix: DIRECTORY_PREFIX }),
  ),
);

const secretName = z.string().check(z.regex(SECRET_NAME, saying('name_characters_64')));
export const secretParams = z.strictObject({ name: secretName });
export const secretsQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });

/** Body of PUT /api/core/secrets/{name}. */
export const secretInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    use: z.enum(secretUses),
    host: z.pipe(
      z.string().check(
        upTo(255),
        z.refine((text) => readHost(text) !== null, saying('host_wanted')),
      ),
      z.transform((text: string): string => readHost(text) ?? text),
    ),
    // One line: it goes into headers and signatures.
    secret: z
      .string()
      .check(z.minLength(1), upTo(2048), z.regex(/^[^\u0000-\u001f\u007f]+$/, saying('one_line'))),
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
