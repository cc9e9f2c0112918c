// What the API of a site says of the library: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const libraryFields: FieldTexts = {
  auto_embed: 'Without effect: a site makes no vectors',
  embed_model: ['Name of the model that made the vector; without effect at a site', 'bge-m3'],
  explain: 'Whether each result says how its score came about',
  min_score: ['What scores less is not shown, 0 to 1', 0.15],
  query: ['The question, or the terms', 'hot work guardian'],
  query_embedding: ['Vector of the query; without effect at a site', [0.1, 0.2]],
  src_systems: ['Only documents of these systems; null: of all', ['console']],
  subject: ['Account that asks; without effect at a site', 'anna'],
  top_k: 'Most clauses of the answer',
};

/** What the codes of errors mean. */
export const libraryErrors: ErrorTexts = {
  library_loading: '现行制度文件尚未全部从总部取回，此时检索会有遗漏；请稍后再试。',
};
