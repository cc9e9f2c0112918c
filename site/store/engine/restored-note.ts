// What `restore` leaves in the store that it puts in place, for the start that tells people of it.
import * as z from 'zod/mini';

const form = z.object({
  /** Epoch milliseconds. */
  restoredAt: z.int(),
  /** When the copy was made; null: it does not say. */
  madeAt: z.nullable(z.int()),
  /** Receipt time of its newest event; null: it has none. */
  newestAt: z.nullable(z.int()),
  /** Largest id that the copy had given out, and the store before it; 0: not known. */
  idInCopy: z.int(),
  idBefore: z.int(),
});
export type RestoredNote = z.infer<typeof form>;

/** Key of it among the single values of the store. */
export const RESTORED = 'restored';

/** @param text as `meta` has it; '' once it was told */
export const readRestoredNote = (text: string | null): RestoredNote | null =>
  text === null || text === '' ? null : form.parse(JSON.parse(text));
