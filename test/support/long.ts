// Tests of a kind of which `npm test` has another: `npm run test:long` and CI run them too. Which they are,
// and what stands for each, is listed in test/LONG.md.
import { test } from 'vitest';
import { long } from './campaign.ts';

export const longTest = test.runIf(long);
