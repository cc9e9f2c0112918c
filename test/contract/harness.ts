// What a store offers so that the contract suites can run on it.
import { afterEach, beforeEach } from 'vitest';
import { type Clock, type Stamp, stampOf } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import { TestClock } from '../support/clock.ts';

export interface StoreHarness {
  /** A new, empty store. */
  open(clock: Clock): Promise<Stores>;
  /** Closes the store and opens the same data again. */
  reopen(): Promise<Stores>;
  /** Closes what is open and removes the data. */
  close(): Promise<void>;
}

export type MakeHarness = () => StoreHarness;

/** A store that several processes may have open at once. */
export interface PeerHarness extends StoreHarness {
  /** The same data, opened once more as another process would. */
  peer(clock: Clock): Promise<Stores>;
}

/** The store of the running test; replaced before each one. */
export interface Bench {
  stores: Stores;
  clock: TestClock;
  /** Closes the store and opens its data again, as a restart would. */
  restart(): Promise<void>;
  stamp(): Stamp;
}

/** Gives each test of the calling suite a new store, and removes it afterwards. */
export function useStores(make: MakeHarness): Bench {
  let harness: StoreHarness;
  const bench = {
    restart: async () => {
      bench.stores = await harness.reopen();
    },
    stamp: () => stampOf(bench.clock),
  } as Bench;
  beforeEach(async () => {
    harness = make();
    bench.clock = new TestClock();
    bench.stores = await harness.open(bench.clock);
  });
  afterEach(() => harness.close());
  return bench;
}
