import * as z from 'zod/mini';

/** Name of a group that headquarters looks after sites by. */
export const siteGroup = z.string().check(z.minLength(1), z.maxLength(64));
/** Of lists: the sites of a group. */
export const siteGroupParam = z.optional(siteGroup);
