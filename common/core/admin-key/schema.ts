import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { CONFIGURED } from '../../http/access.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';

/** `admin` is the key of the configuration, `local` whoever uses the local socket. */
const reserved: readonly string[] = [CONFIGURED, 'local'];

const nameText = z
  .string()
  .check(upTo(64), z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, saying('name_characters')));

/** Body of POST /api/core/admin_keys. */
export const adminKeyInput = z
  .strictObject({
    name: nameText.check(z.refine((name) => !reserved.includes(name), saying('name_reserved'))),
  })
  .register(described, { id: 'NewAdminKey' });
export const adminKeyParams = z.strictObject({ name: nameText });
