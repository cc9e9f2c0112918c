// The site store keeps the contract of every port.
import { describe } from 'vitest';
import { siteHarness } from '../support/site-harness.ts';
import { statsContract } from './stats.ts';
import { allContracts } from './suites.ts';

describe('site store', () => allContracts(siteHarness));
describe('site store with small blocks', () =>
  statsContract(() => siteHarness({ eventIndex: { events: 3, changes: 1, probe: 0 } })));
