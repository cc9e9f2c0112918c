/** Cost of a password's hash, far too cheap for anything but a test. */
export const TEST_COST = { memory: 64, passes: 1, parallelism: 1 };
