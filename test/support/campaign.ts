// How long what is tried at random goes on: a sample in `npm test`, the whole with `npm run test:long` and in
// CI, and as long as anybody likes by its own variable, as FAULT_KILLS=500.

export const long = process.env['TEST_LONG'] === '1';

/** @param name of its own variable @param whole with TEST_LONG=1 */
export const campaign = (name: string, sample: number, whole: number): number =>
  Number(process.env[name] ?? (long ? whole : sample));

/** Runs of a property. */
export const runs = (sample: number, whole: number): number => (long ? whole : sample);

/** Of what is tried alike the first; the whole with TEST_LONG=1. */
export const firstOf = <T>(all: readonly T[], sample = 1): readonly T[] =>
  long ? all : all.slice(0, sample);

/** Of what is tried in two ways, every second one in each; the whole in both with TEST_LONG=1. */
export const half = <T>(all: readonly T[], which: 0 | 1): readonly T[] =>
  long ? all : all.filter((_, index) => index % 2 === which);

/** The same of every fourth. */
export const quarter = <T>(all: readonly T[], which: 0 | 1): readonly T[] =>
  long ? all : all.filter((_, index) => index % 4 === 2 * which);

/** How often the kill test of deliveries kills a hub; DELIVERY_KILLS=100 for more. */
export const DELIVERY_KILLS = campaign('DELIVERY_KILLS', 2, 3);
/** How often the kill test of dataset pulls kills the hub; DATASET_KILLS=100 for more. */
export const DATASET_KILLS = campaign('DATASET_KILLS', 1, 2);
