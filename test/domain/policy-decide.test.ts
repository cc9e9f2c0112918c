// The rules of versions and dates, against plain statements of the specification.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideCitation } from '../../hq/policy/citation.ts';
import type { RegisterDocument } from '../../hq/policy/command.ts';
import {
  decideRegister,
  decideState,
  decideSubmit,
  type DocumentWrites,
} from '../../hq/policy/document/decide.ts';
import { decideDue } from '../../hq/policy/promotion/decide.ts';
import type { DocumentState, PolicyDocument } from '../../hq/policy/record.ts';
import { beijingDay, isInForce, validityOf } from '../../hq/policy/validity.ts';
import { campaign } from '../support/campaign.ts';

let ids = 0;
const stamp = (now: number) => ({ now, newId: () => `id-${(ids += 1)}` });
const RUNS = campaign('FAULT_PROPERTY_RUNS', 100, 300);

const CHUNK = {
  clausePath: null,
  page: null,
  text: 'x',
  textSha256: 'x',
  embedding: null,
  embedModel: null,
  dim: null,
};

/** A library in memory: what the store does with what was decided. */
class Model {
  readonly files = new Map<number, PolicyDocument>();
  now = 1000;

  #write(writes: DocumentWrites | null): void {
    for (const document of writes?.documents ?? []) this.files.set(document.id, document);
  }

  #family(id: number) {
    const document = this.files.get(id) ?? null;
    return {
      document,
      family: [...this.files.values()].filter((one) => one.policyId === document?.policyId),
    };
  }

  register(supersedes: number | null, trusted: boolean, waits = 0): void {
    const command: RegisterDocument = {
      tenantCode: 't',
      srcSystem: trusted ? 'case_sync' : 'manual',
      srcKey: `k${this.files.size}`,
      title: 't',
      docNo: null,
      version: '1',
      effectiveDate: null,
      expiryDate: null,
      ...validityOf(null, null),
      ...(waits > 0 ? { validFrom: this.now + waits } : {}),
      level: 1,
      fileName: null,
      contentType: null,
      size: null,
      sha256: null,
      supersedes,
      createdBy: 'me',
      actor: 'me',
    };
    const parent = supersedes === null ? null : (this.files.get(supersedes) ?? null);
    this.#write(
      decideRegister({ id: this.files.size + 1, known: null, parent }, command, stamp(this.now)).writes,
    );
  }

  submit(docId: number): void {
    const command = {
      docId,
      tenantCode: 't',
      parseNote: null,
      chunks: [CHUNK],
      chunksSha256: `set-${this.now}`,
      missingNumbers: [],
      actor: 'me',
    };
    this.#write(decideSubmit(this.#family(docId), command, stamp(this.now)).writes);
  }

  due(docId: number): void {
    this.#write(decideDue(this.#family(docId), stamp(this.now))?.writes ?? null);
  }

  set(docId: number, to: 'effective' | 'withdrawn' | 'superseded', stale: boolean): void {
    const seen = this.#family(docId);
    const expectChunksSha256 = stale ? 'another' : (seen.document?.chunksSha256 ?? 'none');
    this.#write(
      decideState(
        seen,
        {
          ...{ docId, tenantCode: 't', to, expectChunksSha256, acceptMissing: false },
          ...{ reason: 'r', by: 'me', actor: 'me' },
        },
        stamp(this.now),
      ).writes,
    );
  }
}

/** Policies of which a version is in force. */
const policiesInForce = (files: ReadonlyMap<number, PolicyDocument>, now: number): Set<number> =>
  new Set([...files.values()].filter((one) => isInForce(one, now)).map(({ policyId }) => policyId));

const AFTER: Record<DocumentState, DocumentState[]> = {
  uploaded: ['uploaded', 'parsing', 'review', 'scheduled', 'effective'],
  parsing: ['parsing', 'review', 'scheduled', 'effective'],
  review: ['review', 'scheduled', 'effective'],
  scheduled: ['scheduled', 'review', 'effective', 'superseded', 'withdrawn'],
  effective: ['effective', 'superseded', 'withdrawn'],
  superseded: ['superseded'],
  withdrawn: ['withdrawn'],
};

test(
  'no order of commands makes two versions of a policy effective, leaves the graph of states or replaces ' +
    'a version twice; none but a person leaves a policy without a version in force',
  () => {
    const id = fc.integer({ min: 1, max: 8 });
    const command = fc.oneof(
      fc.record({
        kind: fc.constant('register' as const),
        supersedes: fc.option(id),
        trusted: fc.boolean(),
        waits: fc.constantFrom(0, 0, 3, 9),
      }),
      fc.record({ kind: fc.constant('due' as const), id }),
      fc.record({ kind: fc.constant('submit' as const), id }),
      fc.record({
        kind: fc.constant('set' as const),
        id,
        to: fc.constantFrom(
          'effective' as const,
          'effective' as const,
          'withdrawn' as const,
          'superseded' as const,
        ),
        stale: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const model = new Model();
        for (const one of commands) {
          const before = new Map(model.files);
          model.now += 1;
          if (one.kind === 'register') model.register(one.supersedes, one.trusted, one.waits);
          else if (one.kind === 'due') model.due(one.id);
          else if (one.kind === 'submit') model.submit(one.id);
          else model.set(one.id, one.to, one.stale);
          if (one.kind !== 'set' || one.to === 'effective') {
            const after = policiesInForce(model.files, model.now);
            expect([...policiesInForce(before, model.now)].filter((policy) => !after.has(policy))).toEqual(
              [],
            );
          }
          const effective = [...model.files.values()]
            .filter(({ status }) => status === 'effective')
            .map(({ policyId }) => policyId);
          expect(new Set(effective).size).toBe(effective.length);
          for (const [key, { status, supersededBy, chunksSha256 }] of before) {
            const after = model.files.get(key);
            expect(AFTER[status]).toContain(after?.status);
            if (supersededBy !== null) expect(after?.supersededBy).toBe(supersededBy);
            if (!['uploaded', 'parsing', 'review'].includes(status))
              expect(after?.chunksSha256).toBe(chunksSha256);
            // Only what was looked at becomes effective.
            if (one.kind === 'set' && one.stale)
              expect(after?.status === 'effective' && status !== 'effective').toBe(false);
          }
        }
      }),
      { numRuns: RUNS },
    );
  },
);

describe('dates', () => {
  test('are days of Beijing, the last one whole', () => {
    expect(beijingDay('2026-03-01')).toBe(Date.parse('2026-02-28T16:00:00Z'));
    expect(validityOf('2026-03-01', '2026-03-01')).toEqual({
      validFrom: Date.parse('2026-03-01T00:00:00+08:00'),
      validUntil: Date.parse('2026-03-02T00:00:00+08:00'),
    });
    for (const wrong of ['2026-2-1', '2026-02-30', '2026-03-01T00:00:00Z', '', '10000-01-01'])
      expect(beijingDay(wrong)).toBeNull();
  });

  test('left out hold always', () => {
    const file = { status: 'effective' as const, ...validityOf(null, null) };
    for (const now of [0, Date.now(), Date.parse('9999-01-01T00:00:00Z')])
      expect(isInForce(file, now)).toBe(true);
  });
});

test('a citation has one reason, and none exactly when the file is in force, in sight and unchanged', () => {
  const file = fc.record({
    status: fc.constantFrom<DocumentState>(
      'uploaded',
      'parsing',
      'review',
      'scheduled',
      'effective',
      'superseded',
      'withdrawn',
    ),
    level: fc.nat(3),
    tenantCode: fc.constantFrom('a', 'b'),
    validFrom: fc.integer({ min: 0, max: 10 }),
    validUntil: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(
      fc.option(file),
      fc.option(fc.constantFrom('x', 'y')),
      fc.nat(3),
      fc.integer({ min: 0, max: 10 }),
      (found, text, maxRank, now) => {
        const document = found ? ({ ...found, id: 1 } as PolicyDocument) : undefined;
        const chunk = text === null ? undefined : { textSha256: text, docId: 1 };
        const reason = decideCitation({ document, chunk }, 'x', { tenantCode: 'a', maxRank }, now);
        const inSight = document?.tenantCode === 'a' && document.level <= maxRank;
        expect(reason === '').toBe(
          document !== undefined && inSight && text === 'x' && isInForce(document, now),
        );
        if (!inSight) expect(reason).toBe('not_found');
      },
    ),
    { numRuns: RUNS },
  );
});
