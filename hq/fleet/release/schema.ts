import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { limitParam } from '../../../common/http/list.ts';
import { architectures, signedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import { MAX_PACKAGE_PIECE } from '../../../common/uplink/upgrade/record.ts';

/** The signed document as `fieldline-release` makes it. */
export const releaseInput = z.strictObject(signedManifest.shape).register(described, { id: 'SignedRelease' });

/** What is no version is one that nobody has. */
export const releaseParams = z.strictObject({ version: code(64) });
export const packageParams = z.strictObject({
  version: code(64),
  architecture: code(32),
});
export const releasesQuery = z.strictObject({
  limit: limitParam(50, 200),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

export const pieceParams = z.strictObject({ sha256: code(64) });
const whole = z.coerce.number();
export const pieceQuery = z.strictObject({
  offset: whole.check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
  bytes: whole.check(z.int(), z.minimum(1), z.maximum(MAX_PACKAGE_PIECE)),
});

const packageView = z
  .object({
    architecture: z.enum(architectures),
    name: z.string(),
    size: z.int(),
    sha256: z.string(),
    /** null: it has not been uploaded. */
    storedAt: z.nullable(z.string()),
  })
  .register(described, { id: 'ReleasePackage' });

export const releaseView = z
  .object({
    version: z.string(),
    madeAt: z.string(),
    addedAt: z.string(),
    addedBy: z.string(),
    /** Name of the key that the document says it is signed with. */
    key: z.string(),
    /** Name of the key here that its signature was checked with; null: it was not checked. */
    checkedWith: z.nullable(z.string()),
    /** All packages are here. */
    complete: z.boolean(),
    /** A rollout that is not over needs it. */
    inUse: z.boolean(),
    packages: z.array(packageView),
  })
  .register(described, { id: 'Release' });
export type ReleaseView = z.infer<typeof releaseView>;
