import type { SiteLibraryPort } from '../../../policy/site/port.ts';
import type { InboxReader } from '../port.ts';

/** The versions of libraries that the site is to have. */
export const libraryReader = (libraries: Pick<SiteLibraryPort, 'open'>): InboxReader => ({
  kind: 'library',
  read: (entries) => libraries.open(entries),
});
