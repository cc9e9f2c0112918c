import * as z from 'zod/mini';
import { code, tenantCode } from '../../core/event/schema.ts';
import { described } from '../../http/described.ts';
import { securityLevels } from '../level.ts';
import { saying } from './search-fault-messages.ts';

export const DEFAULT_TOP = 6;
export const MAX_TOP = 20;
/**
 * What scores less is not shown: less than this share of the best hit, or of what the library knows of the
 * question. Cosines of texts that have nothing in common are about 0.3 in the usual models.
 */
export const LEAST_KEYWORD = { ofBest: 0.2, score: 0.15 } as const;
export const LEAST_HYBRID = { ofBest: 0.15, score: 0.2 } as const;

/** The least score that is shown where the caller names none. @param best of the candidates; 0 for none */
export function leastScore(best: number, hybrid: boolean): number {
  const { ofBest, score } = hybrid ? LEAST_HYBRID : LEAST_KEYWORD;
  return Math.max(score, ofBest * best);
}

/** Longer questions are documents. Characters. */
const MAX_QUERY = 2_000;
const MAX_DIM = 4_096;

/** Body of POST /api/core/kb/search (spec 3, "Search body"). */
export const searchInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    subject: z.optional(code(128)),
    query: z.string().check(z.minLength(1), z.maxLength(MAX_QUERY), z.regex(/\S/, saying('blank'))),
    query_embedding: z.optional(
      z.nullable(
        z.array(z.number()).check(
          z.minLength(1),
          z.maxLength(MAX_DIM),
          z.refine((values) => values.some((value) => Math.fround(value) !== 0), saying('vector_zero')),
          z.refine(
            (values) => values.every((value) => Number.isFinite(Math.fround(value))),
            saying('vector_numbers'),
          ),
        ),
      ),
    ),
    embed_model: z.optional(z.nullable(code(128))),
    top_k: z._default(z.int().check(z.minimum(1), z.maximum(MAX_TOP)), DEFAULT_TOP),
    min_score: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
    src_systems: z.optional(z.nullable(z.array(code(64)).check(z.maxLength(50)))),
    auto_embed: z._default(z.boolean(), true),
    explain: z._default(z.boolean(), false),
  })
  .register(described, { id: 'PolicyQuery' });
export type SearchInput = z.infer<typeof searchInput>;

const vecNotes = [
  '',
  'no_query_embedding',
  'embed_not_configured',
  'embed_unavailable',
  'embed_model_mismatch',
  'no_embedded_chunks',
  'dim_mismatch',
] as const;
export type VecNote = (typeof vecNotes)[number];

export const certainNotes = ['', 'nothing_found', 'little_in_common'] as const;
/** Why nothing is certain; empty where something is. */
export type CertainNote = (typeof certainNotes)[number];

const text = z.nullable(z.string());
const matchedTerm = z.object({
  term: z.string(),
  weight: z.number(),
  /** It stands for words that mean the same, too. */
  synonyms: z.boolean(),
});
/** A clause that repeats a hit. */
const twinView = z
  .object({
    chunkId: z.int(),
    docId: z.int(),
    title: z.string(),
    docNo: text,
    version: z.string(),
    clausePath: text,
    page: z.nullable(z.int()),
    sha256: z.string(),
    score: z.number(),
  })
  .register(described, { id: 'PolicyTwin' });
export type TwinView = z.infer<typeof twinView>;
const hitView = z
  .object({
    chunkId: z.int(),
    docId: z.int(),
    seq: z.int(),
    title: z.string(),
    docNo: text,
    version: z.string(),
    srcSystem: z.string(),
    srcKey: z.string(),
    securityLevel: z.enum(securityLevels),
    effectiveDate: text,
    expiryDate: text,
    clausePath: text,
    page: z.nullable(z.int()),
    text: z.string(),
    sha256: z.string(),
    score: z.number(),
    /** Clauses that repeat it and score less, as local rules repeat a law. */
    twins: z.array(twinView),
    explain: z.optional(
      z.object({
        keywordScore: z.number(),
        vectorScore: z.nullable(z.number()),
        keywordShare: z.number(),
        vectorShare: z.number(),
        foundBy: z.array(z.enum(['keyword', 'vector'])),
        matchedTerms: z.array(matchedTerm),
      }),
    ),
  })
  .register(described, { id: 'PolicyHit' });
export type HitView = z.infer<typeof hitView>;

export const searchView = z
  .object({
    items: z.array(hitView),
    index_version: z.string(),
    /** The least score that is shown. */
    min_score: z.number(),
    /** Chunks with terms or a vector near the question that score less. */
    left_out: z.int(),
    /** At a site: files in force of which not all clauses have come yet; left out where there are none. */
    files_coming: z.optional(z.int()),
    /** Whether one of the best is an answer; otherwise they are only the nearest. */
    certain: z.boolean(),
    certain_note: z.enum(certainNotes),
    vec_note: z.enum(vecNotes),
    terms: z.optional(z.array(matchedTerm)),
  })
  .register(described, { id: 'PolicySearchResult' });
export type SearchView = z.infer<typeof searchView>;
