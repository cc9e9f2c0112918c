import { join } from 'node:path';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import { version } from '../../common/package.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import { LibraryCalls } from '../policy/calls.ts';
import { LibraryIndex } from '../policy/index.ts';
import { LibraryLoader } from '../policy/loader.ts';
import { LibrarySearch } from '../policy/search.ts';
import type { Base } from './base.ts';

/** Search in the policies in force; it needs no link. */
export function createLibrarySearch({ config, store, clock, log, lifecycle }: Base): {
  search: LibrarySearch;
  index: LibraryIndex;
} {
  const directory = join(config.dataDir, 'library');
  const index = new LibraryIndex({ source: store.librarySource, directory, clock, log });
  lifecycle.onStop('library index', () => index.stop());
  return { search: new LibrarySearch({ libraries: store.libraries, index, clock }), index };
}

/** What of the uplink the loader is told; it is made after it. */
export interface LibraryLink {
  tenants: () => readonly string[] | null;
  linked: () => boolean;
}

/** Fetches the policies in force, by a connection of its own. */
export function createLibraryLoader(
  { config, store, clock, log, lifecycle }: Base,
  uplink: NonNullable<SiteConfig['uplink']>,
  { tenants, linked }: LibraryLink,
): LibraryLoader {
  const { url, keyRef } = uplink;
  const client = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('library client', () => client.close());
  const key = () => readKeyText(keyRef, config.secrets);
  const loader = new LibraryLoader({
    libraries: store.libraries,
    calls: new LibraryCalls({ client, key, url, clock }),
    ...{ tenants, linked, clock, log },
    get kbps() {
      return uplink.evidenceKbps;
    },
    envelope: () => ({ version, instance: config.instance, epoch: store.epoch() }),
  });
  lifecycle.onStop('library', () => loader.loop.stop());
  return loader;
}
