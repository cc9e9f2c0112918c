import { type Clock, stampOf } from '../../common/clock.ts';
import type { KnowledgeKind } from '../../common/core/timeline/record.ts';
import { AppError, badRequest, notFound } from '../../common/http/error.ts';
import { type Fault } from '../../common/http/fault/fault.ts';
import { DEFAULT_LEVEL } from '../../common/policy/level.ts';
import { parseTime } from '../../common/time.ts';
import { faultAt } from './knowledge-fault-messages.ts';
import type { KnowledgeFilter, KnowledgePort } from './port.ts';
import type { KnowledgeBody, KnowledgeMeta, KnowledgeRecord, KnowledgeRevision } from './record.ts';
import type { KnowledgeInput, KnowledgeQuery, ReviseInput } from './schema.ts';
import { viewKnowledge } from './view.ts';

/** Who calls: the name that is kept with what was done, and the text for the audit. */
export interface Author {
  name: string;
  text: string;
  /** Whose clearance limits what it sees; null: everything is seen. */
  account: string | null;
}

/** Revisions that the history shows at most. */
export const HISTORY = 200;

export class KnowledgeService {
  readonly counts = { stored: 0, known: 0, revised: 0, refused: 0 };
  #knowledge: KnowledgePort;
  #clock: Clock;

  constructor(knowledge: KnowledgePort, clock: Clock) {
    this.#knowledge = knowledge;
    this.#clock = clock;
  }

  /**
   * Stores an object once per source system and key. `created` is false for a repetition, of which `same`
   * says whether it says the same.
   */
  async store(
    input: KnowledgeInput,
    author: Author,
  ): Promise<{ knowledge: KnowledgeRecord; created: boolean; same: boolean }> {
    const outcome = await this.#knowledge.store(
      {
        tenantCode: input.tenant_code,
        srcSystem: input.src_system,
        srcPk: input.src_pk,
        title: input.title,
        kind: input.kind,
        sourceRef: input.source_ref,
        securityLevel: input.security_level ?? DEFAULT_LEVEL,
        validUntil: input.valid_until === undefined ? null : parseTime(input.valid_until),
        // The schema gives every body its sections.
        body: input.body as KnowledgeBody,
        machineGenerated: input.machine_generated,
        createdBy: input.by ?? author.name,
        actor: author.text,
        account: author.account,
      },
      stampOf(this.#clock),
    );
    if (outcome.kind === 'hidden') throw notFound(`Knowledge ${input.src_system} ${input.src_pk}`);
    this.counts[outcome.kind === 'stored' ? 'stored' : 'known'] += 1;
    return {
      knowledge: outcome.knowledge,
      created: outcome.kind === 'stored',
      same: outcome.kind === 'stored' || outcome.same,
    };
  }

  /** @throws AppError 404, also for another tenant's and above the clearance of the account */
  async get(id: number, tenantCode: string, account: string | null): Promise<KnowledgeRecord> {
    const found = await this.#knowledge.get(id, tenantCode, account);
    if (!found) throw notFound(`Knowledge ${id}`);
    return found;
  }

  /** @throws AppError 404 */
  async history(id: number, tenantCode: string, account: string | null): Promise<KnowledgeRevision[]> {
    await this.get(id, tenantCode, account);
    return this.#knowledge.history(id, tenantCode, HISTORY);
  }

  /**
   * @param tenantCode null: all. `until`: what following pages should carry. @throws AppError 400 for one of
   * ref_key and ref_value
   */
  async list(
    query: KnowledgeQuery,
    { tenantCode, account }: Pick<KnowledgeFilter, 'tenantCode' | 'account'>,
  ): Promise<{ items: (KnowledgeRecord | KnowledgeMeta)[]; hasMore: boolean; until: number }> {
    const faults: Fault[] = [];
    if ((query.ref_key === undefined) !== (query.ref_value === undefined)) {
      faults.push(faultAt(query.ref_key === undefined ? 'ref_key' : 'ref_value', 'ref_pair'));
    }
    if (faults.length > 0) throw badRequest(faults);
    const until = query.until === undefined ? this.#clock.now() + 1 : (parseTime(query.until) ?? 0);
    const filter = filterOf(query, { tenantCode, account });
    const page = { limit: query.limit + 1, offset: query.offset };
    const rows =
      query.fields === 'meta'
        ? await this.#knowledge.listMeta(filter, page)
        : await this.#knowledge.list(filter, page);
    return { items: rows.slice(0, query.limit), hasMore: rows.length > query.limit, until };
  }

  /**
   * A person's revision (spec 3, "Revise rules").
   * @throws AppError 404; 400 section_not_editable naming each; 409 stale_version with the present text
   */
  async revise(
    id: number,
    input: ReviseInput,
    author: Author,
  ): Promise<{ knowledge: KnowledgeRecord; changed: string[] }> {
    const outcome = await this.#knowledge.revise(
      {
        id,
        tenantCode: input.tenant_code,
        sections: input.sections,
        by: input.by,
        note: input.note ?? null,
        expectedVersion: input.expected_version ?? null,
        actor: author.text,
        account: author.account,
      },
      stampOf(this.#clock),
    );
    if (outcome.kind === 'none') throw notFound(`Knowledge ${id}`);
    if (outcome.kind === 'revised') {
      this.counts.revised += 1;
      return outcome;
    }
    if (outcome.kind === 'unchanged') return { knowledge: outcome.knowledge, changed: [] };
    this.counts.refused += 1;
    if (outcome.kind === 'stale') {
      const { version } = outcome.knowledge;
      throw new AppError(
        409,
        'stale_version',
        `The knowledge is at version ${version}, not ${input.expected_version}; nothing was changed. ` +
          'Look at what it says now and revise that.',
        {
          retryable: false,
          extra: { version, current: viewKnowledge(outcome.knowledge) },
        },
      );
    }
    throw new AppError(
      400,
      'section_not_editable',
      'Only sections marked editable: human may be revised; nothing was changed.',
      {
        details: outcome.sections.map(({ name, exists }) =>
          faultAt(`sections.${name}`, exists ? 'section_not_editable' : 'section_missing'),
        ),
      },
    );
  }
}

function filterOf(
  query: KnowledgeQuery,
  whose: Pick<KnowledgeFilter, 'tenantCode' | 'account'>,
): KnowledgeFilter {
  return {
    ...whose,
    ...(query.kind === undefined ? {} : { kind: query.kind }),
    ...(query.src_system === undefined ? {} : { srcSystem: query.src_system }),
    ...(query.exclude_kind === undefined
      ? {}
      : { excludeKinds: query.exclude_kind.split(',').map((kind) => kind.trim() as KnowledgeKind) }),
    ...(query.src_pk === undefined ? {} : { srcPk: query.src_pk }),
    ...(query.ref_key === undefined || query.ref_value === undefined
      ? {}
      : { ref: { key: query.ref_key, value: query.ref_value } }),
    ...timeOf('since', query.since),
    ...timeOf('until', query.until),
  };
}

function timeOf(name: 'since' | 'until', text: string | undefined): { since?: number; until?: number } {
  const at = text === undefined ? null : parseTime(text);
  return at === null ? {} : { [name]: at };
}
