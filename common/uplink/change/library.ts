// The library of a tenant at a site, on the way up: as it stands when it is sent.
import * as z from 'zod/mini';
import { tenantCode } from '../../core/event/schema.ts';
import { clockTime, line, orNull, told } from '../item.ts';
import { count, id } from './names.ts';

export const libraryState = z.object({
  change_no: id,
  tenant_code: tenantCode,
  kind: z.literal('library'),
  /** Version that headquarters named, or a later one; null: the site has none yet. */
  version: orNull(line(128)),
  /** `refused`: the site does not take what headquarters has. */
  state: z.enum(['here', 'refused']),
  files: count,
  clauses: count,
  at: clockTime,
  reason: orNull(line(4_000)),
  told,
});
export type LibraryState = z.infer<typeof libraryState>;
