// The site store keeps the contract of every port.
import { describe } from 'vitest';
import { siteHarness } from '../support/site-harness.ts';
import { allContracts } from './suites.ts';

describe('site store', () => allContracts(siteHarness));
