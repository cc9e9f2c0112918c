// The headquarters store keeps the contract of every port, also with several processes on one database.
import { describe } from 'vitest';
import { hubHarness } from '../support/hub-harness.ts';
import { peerContract } from './peers.ts';
import { siteEventContract } from './site-events.ts';
import { statsContract } from './stats.ts';
import { allContracts } from './suites.ts';

describe('headquarters store', () => {
  allContracts(hubHarness);
  siteEventContract(hubHarness);
});
describe('headquarters store, lists from facts', () => statsContract(() => hubHarness({ listProbe: 0 })));
describe('headquarters store, two processes', () => peerContract(hubHarness));
