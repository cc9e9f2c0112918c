import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { evidenceFollower } from '../../common/core/evidence/forget.ts';
import { useStores, type MakeHarness } from './harness.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function follows(make: MakeHarness): void {
  const bench = useStores(make);

  test('the files and rows of deleted events go, also those of one that was half removed before', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-evidence-'));
    try {
      const files = new EvidenceFiles(dir);
      const kept: { eventId: number; sha256: string }[] = [];
      for (const [eventId, name] of [[1, 'a'], [1, 'b'], [2, 'a'], [7, 'a']] as const) {
        const received = await files.receive(bytesOf(`${eventId} ${name}`));
        await received.keep(eventId);
        const { size, sha256 } = received;
        await bench.stores.evidence.store({ tenantCode: 'acme', eventId, name, size, sha256, storedAt: 1 }, 1e9, 'node:cam', stampOf(bench.clock));
        kept.push({ eventId, sha256 });
      }
      await files.remove(1, kept[0]?.sha256 ?? '');
      const follower = evidenceFollower(bench.stores.evidence, files);
      expect(await follower.forget([1, 2, 3], bench.stamp())).toEqual({ evidence: 3 });
      expect(await follower.forget([1, 2, 3], bench.stamp())).toEqual({ evidence: 0 });
      expect(await Promise.all(kept.map(({ eventId, sha256 }) => files.size(eventId, sha256)))).toEqual([null, null, null, 3]);
      expect(await bench.stores.evidence.totalSize()).toBe(3);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

describe('evidence of deleted events at a site', () => follows(siteHarness));
describe('evidence of deleted events at headquarters', () => follows(hubHarness));
