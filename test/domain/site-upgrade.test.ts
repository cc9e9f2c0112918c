// A version that headquarters wants at a site: when it is taken, and how far it is. Pure.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { upgradeState } from '../../common/uplink/change/upgrade.ts';
import { type Manifest, signManifest } from '../../common/uplink/upgrade/manifest.ts';
import type { UpgradeItem } from '../../common/uplink/upgrade/record.ts';
import {
  cameTo,
  type Ground,
  isKnownUpgrade,
  isWithin,
  offeredUpgrade,
  reported,
  roomFor,
  upgradeStateOf,
  wasWrong,
} from '../../site/upgrade/decide.ts';
import type { InstallReport, KeptUpgrade } from '../../site/upgrade/record.ts';

const keys = generateKeyPairSync('ed25519');
const manifest = (version: string, architecture: 'amd64' | 'arm64' = 'amd64'): Manifest => ({
  ...{ format: 1, product: 'fieldline-site', version, made_at: 1 },
  packages: [{ architecture, name: 'x.deb', size: 1_000, sha256: 'a'.repeat(64) }],
});
const item = (version: string | null, no = 1): UpgradeItem => ({
  ...{ no, hours: { from: 0, until: 0 }, by: 'anna', at: 1 },
  release: version === null ? null : signManifest(manifest(version), keys),
});
const GROUND: Ground = {
  runs: { version: '1.2.3', architecture: 'amd64' },
  keys: { folder: '/keys', count: 1 },
  ...{ signed: true, freeBytes: 1e9, storeBytes: 5_000 },
};
const offered = (
  wanted: UpgradeItem,
  over: Partial<Ground> = {},
  kept: KeptUpgrade | null = null,
): KeptUpgrade => offeredUpgrade(kept, wanted, { ...GROUND, ...over }, 50);

describe('what is offered', () => {
  test.each<[string, UpgradeItem, Partial<Ground>, string, string | null]>([
    ['newer', item('1.2.10'), {}, 'fetching', null],
    ['the same', item('1.2.3'), {}, 'installed', null],
    ['older', item('1.2.2'), {}, 'refused', 'upgrade_older'],
    ['nothing any more', item(null), {}, 'stopped', null],
    [
      'to no package',
      item('2.0.0'),
      { runs: { version: '1.2.3', architecture: null } },
      'refused',
      'upgrade_no_package',
    ],
    [
      'without a key',
      item('2.0.0'),
      { keys: { folder: '/k', count: 0 }, signed: false },
      'refused',
      'upgrade_no_keys',
    ],
    ['by another key', item('2.0.0'), { signed: false }, 'refused', 'upgrade_signature'],
    [
      'for others',
      item('2.0.0'),
      { runs: { version: '1.2.3', architecture: 'arm64' } },
      'refused',
      'upgrade_architecture',
    ],
    ['without room', item('2.0.0'), { freeBytes: roomFor(1_000, 5_000) - 1 }, 'refused', 'upgrade_no_room'],
    ['with just the room', item('2.0.0'), { freeBytes: roomFor(1_000, 5_000) }, 'fetching', null],
  ])('%s', (_what, wanted, ground, step, reason) => {
    const kept = offered(wanted, ground);
    expect([kept.step, kept.reason?.code ?? null]).toEqual([step, reason]);
    // What goes up is what headquarters reads.
    expect(upgradeState.safeParse(upgradeStateOf(kept, 7)).success).toBe(true);
  });

  test('a newer one takes the place of one that is fetched, and waits for one that is installed', () => {
    const first = offered(item('2.0.0'));
    expect(isKnownUpgrade(first, item('2.0.0'))).toBe(true);
    expect(offered(item('2.0.1', 2), {}, first)).toMatchObject({
      step: 'fetching',
      version: '2.0.1',
      next: null,
    });
    const installing = cameTo(first, 'installing', 60);
    const next = item(null, 2);
    const waiting = offered(next, {}, installing);
    expect(waiting).toMatchObject({ step: 'installing', version: '2.0.0', next });
    expect(isKnownUpgrade(waiting, next)).toBe(true);
  });
});

test('a package that is wrong is fetched three times at most', () => {
  let kept = offered(item('2.0.0'));
  for (const step of ['fetching', 'fetching', 'refused']) {
    kept = wasWrong({ ...kept, fetched: 1_000 }, 60);
    expect([kept.step, kept.fetched]).toEqual([step, 0]);
  }
  expect(kept.reason).toEqual({ code: 'upgrade_bytes', params: { times: 3 } });
});

test('what whoever installs says is believed of what was handed over, and of nothing else', () => {
  const report = (over: Partial<InstallReport> = {}): InstallReport => ({
    ...{ no: 1, step: 'taken_back', reason: null, at: 70 },
    ...over,
  });
  const fetching = offered(item('2.0.0'));
  const installing = cameTo(fetching, 'installing', 60);
  expect(reported(fetching, report())).toBeNull();
  expect(reported(installing, report({ no: 2 }))).toBeNull();
  expect(reported(installing, report({ step: 'installing' }))).toBeNull();
  expect(reported(installing, report())).toMatchObject({ step: 'taken_back', since: 70 });
  // A site that was given up for silent is told late.
  const late = cameTo(installing, 'refused', 65);
  expect(reported(late, report({ step: 'installed' }))).toMatchObject({ step: 'installed' });
});

test.each([
  [{ from: 22, until: 4 }, [22, 23, 0, 3], [4, 12, 21]],
  [{ from: 1, until: 5 }, [1, 4], [0, 5, 23]],
  [{ from: 7, until: 7 }, [0, 7, 23], []],
])('hours %j', (hours, inside, outside) => {
  expect([...inside, ...outside].filter((hour) => isWithin(hours, hour))).toEqual(inside);
});
