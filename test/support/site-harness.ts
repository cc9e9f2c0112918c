// The site store for the contract suites: a folder of its own per store.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import { silentLogger } from '../../common/log.ts';
import { type OpenOptions, openSiteStore } from '../../site/store/open.ts';
import type { StoreHarness } from '../contract/harness.ts';

export function siteHarness(over: Partial<OpenOptions> = {}): StoreHarness {
  let dir: string | null = null;
  let own: Clock | null = null;
  let stores: Stores | null = null;
  const start = async (): Promise<Stores> => {
    if (dir === null || own === null) throw new Error('open a store first');
    stores = await openSiteStore({ dir, clock: own, log: silentLogger(), ...over });
    return stores;
  };
  const stop = async () => {
    await stores?.close();
    stores = null;
  };
  return {
    open: async (clock) => {
      own = clock;
      dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-site-'));
      return start();
    },
    reopen: async () => {
      await stop();
      return start();
    },
    close: async () => {
      await stop();
      if (dir !== null) await rm(dir, { recursive: true, force: true });
    },
  };
}
