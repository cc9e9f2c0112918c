import * as z from 'zod/mini';
import { type LibraryItem, libraryItem } from '../../../../common/uplink/library.ts';
import type { InboxDriver } from '../inbox.ts';

/** What takes a version of a library that the site is to have. */
export interface LibraryTaker {
  take(item: LibraryItem): Promise<void>;
}

/**
 * Versions of libraries: each is noted, and fetched beside the inbox. One that is not understood stays, and a
 * person is told, until a version is here that understands it.
 */
export const libraryDriver = (loader: LibraryTaker): InboxDriver => ({
  subjectOf: (body) => libraryItem.safeParse(body).data?.tenant_code ?? null,
  carryOut: async (body) => {
    const item = libraryItem.safeParse(body);
    if (!item.success) throw new Error(`a library is not understood: ${z.prettifyError(item.error)}`);
    await loader.take(item.data);
    return 'carried_out';
  },
});
