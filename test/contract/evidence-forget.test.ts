import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { EvidenceOrphans, ORPHANS_ALARM } from '../../common/core/evidence/orphans.ts';
import { evidenceRetentionHook } from '../../common/core/evidence/retention-hook.ts';
import type { KeptFile } from '../../common/core/evidence/standing.ts';
import { silentLogger } from '../../common/log.ts';
import { room } from '../support/evidence-room.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import { type MakeHarness, useStores } from './harness.ts';

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function follows(make: MakeHarness): void {
  const bench = useStores(make);

  test('the files and rows of deleted events go, also those of one that was half removed before', async () => {
    const dir = path.join(mkdtempSync(path.join(os.tmpdir(), 'fieldline-evidence-')), 'evidence');
    try {
      const files = new EvidenceFiles(dir);
      const kept: KeptFile[] = [];
      for (const [eventId, name] of [
        [1, 'a'],
        [1, 'b'],
        [2, 'a'],
        [7, 'a'],
      ] as const) {
        const received = await files.receive(bytesOf(`${eventId} ${name}`));
        await received.keep(eventId);
        const { size, sha256 } = received;
        await bench.stores.evidence.store(
          { tenantCode: 'acme', eventId, name, size, sha256, storedAt: 1 },
          room(1e9),
          'node:cam',
          stampOf(bench.clock),
        );
        kept.push({ eventId, size, sha256 });
      }
      await files.remove(1, kept[0]?.sha256 ?? '');
      const hook = evidenceRetentionHook(bench.stores.evidence, files);
      expect(await hook.forget([1, 2, 3], bench.stamp())).toEqual({ evidence: 3 });
      expect(await hook.forget([1, 2, 3], bench.stamp())).toEqual({ evidence: 0 });
      expect(await Promise.all(kept.map((one) => files.standing(one)))).toEqual([
        'missing',
        'missing',
        'missing',
        'whole',
      ]);
      expect(await bench.stores.evidence.totalSize()).toBe(3);
    } finally {
      rmSync(path.dirname(dir), { recursive: true, force: true });
    }
  });

  test('files that no row names are removed, but not where the store has become another one', async () => {
    const dir = path.join(mkdtempSync(path.join(os.tmpdir(), 'fieldline-evidence-')), 'evidence');
    try {
      const files = new EvidenceFiles(dir);
      const received = await Promise.all(
        Array.from({ length: 60 }, async (_, at) => {
          const one = await files.receive(bytesOf(`file ${at}`));
          await one.keep(at + 1);
          return { eventId: at + 1, size: one.size, sha256: one.sha256 };
        }),
      );
      const left = async (): Promise<number> =>
        (await Promise.all(received.map((one) => files.standing(one)))).filter(
          (standing) => standing === 'whole',
        ).length;
      const orphans = new EvidenceOrphans({
        events: { get: async (id) => ({ id, tenantCode: 'acme' }) as EventRecord },
        evidence: bench.stores.evidence,
        files,
        arriving: () => false,
        fileTime: () => Date.now() + 7_200_000,
        alarms: bench.stores.alarms,
        self: 'self',
        now: () => bench.clock.now(),
        log: silentLogger(),
      });
      const name = (from: number, to: number) =>
        Promise.all(
          received
            .slice(from, to)
            .map(({ eventId, size, sha256 }) =>
              bench.stores.evidence.store(
                { tenantCode: 'acme', eventId, name: 'a.jpg', size, sha256, storedAt: 1 },
                room(1e9),
                'node:cam',
                stampOf(bench.clock),
              ),
            ),
        );
      const standing = async (): Promise<string[]> =>
        (await bench.stores.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(
          ({ key }) => key,
        );
      const going = new AbortController().signal;
      // The store was lost: every file is an orphan.
      expect([await orphans.round(going), await left(), await standing()]).toEqual([0, 60, [ORPHANS_ALARM]]);
      await name(0, 29);
      expect([await orphans.round(going), await left()]).toEqual([0, 60]);
      await name(29, 31);
      await bench.stores.alarms.raise(
        { key: 'store_salvaged', instance: 'self', tenantCode: null, severity: 'critical', message: 'x' },
        1,
      );
      expect([await orphans.round(going), await left()], 'of a salvaged store').toEqual([0, 60]);
      await bench.stores.alarms.clear('store_salvaged', 'self', 2);
      expect([await orphans.round(going), await left(), await standing()]).toEqual([29, 31, []]);
    } finally {
      rmSync(path.dirname(dir), { recursive: true, force: true });
    }
  });
}

describe('evidence of deleted events at a site', () => follows(siteHarness));
describe('evidence of deleted events at headquarters', () => follows(hubHarness));
