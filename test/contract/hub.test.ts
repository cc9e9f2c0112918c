// The headquarters store keeps the contract of every port, also with several processes on one database.
import { describe } from 'vitest';
import { hubHarness } from '../support/hub-harness.ts';
import { peerContract } from './peers.ts';
import { siteEventContract } from './site-events.ts';
import { allContracts } from './suites.ts';

describe('headquarters store', () => {
  allContracts(hubHarness);
  siteEventContract(hubHarness);
});
describe('headquarters store, two processes', () => peerContract(hubHarness));
