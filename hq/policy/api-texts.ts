// What the API says of the library: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

const SHA = 'b'.repeat(64);

/** What the members of request bodies mean. */
export const policyFields: FieldTexts = {
  accept_missing_numbers: [
    'Numbers are missing between those of its clauses, and so they do in the original',
    false,
  ],
  accept_missing: 'How many originals are known to be lost for good',
  answer: ['What was answered; left out where an answer was refused', 'A guardian has to stand by.'],
  auto_embed: 'Whether headquarters makes the vector of the query, where a service for it is configured',
  chunk_id: ['Id of the clause', 42],
  chunk_ids: ['Ids of the clauses; instead of `chunks`', [42]],
  chunks: 'The clauses',
  citations: ['The clauses that the answer cites, as they were shown', []],
  clause_path: ['Number and headings of the clause', '4.2 Hot work'],
  confirm: ['The tenant once more, so that none is deleted by a slip', 'acme'],
  days: ['Days after which entries are deleted', 730],
  doc_no: ['Number of the document', 'GB 6067.1'],
  duration_ms: ['How long answering took, ms', 1_250],
  effective_date: ['First day on which it is in force, of Beijing', '2026-01-01'],
  embed_model: ['Name of the model that made the vectors', 'bge-m3'],
  embedding: ['Vector of the text, made by `embed_model`', [0.1, 0.2]],
  expect_chunks_sha256: ['Fingerprint of the clauses that were reviewed; needed for `effective`', SHA],
  expected_revision: ['The revision that was read: another one is answered with 409', 1],
  expiry_date: ['Last day on which it is in force, of Beijing', '2027-12-31'],
  explain: 'Whether each result says how its score came about',
  feedback: 'What a person says of the answer',
  file_name: ['Name of the original', 'hot-work.pdf'],
  groups: ['Words that mean the same, each group a list', [['lift', 'hoist']]],
  shipped: 'Whether the shipped groups hold too',
  index_version: ['Version of the index that was searched', '2026-03-01'],
  level: 'The highest level that the account may read',
  page: ['Page of the original, from 1', 12],
  parse_note: ['What the reader of the file has to say to its reviewer', 'Page 3 is a picture'],
  query: ['The question, or the terms', 'hot work guardian'],
  query_embedding: ['Vector of the query, made by `embed_model`', [0.1, 0.2]],
  question: ['What was asked', 'Who has to stand by during hot work?'],
  refusal_reason: ['Why no answer was given', 'No clause is about it'],
  scope: 'What is deleted after so many days',
  src_key: ['Key of the document in its source system', 'GB-6067'],
  src_systems: ['Only documents of these systems; null: of all', ['console']],
  supersedes: ['Id of the version that it takes the place of', 41],
  min_score: ['What scores less is not shown, 0 to 1', 0.15],
  left_out: ['Chunks with something of the question that score less than `min_score`', 3],
  certain: ['Whether one of the best answers the question; otherwise they are only the nearest', true],
  certain_note: 'Why nothing is certain; empty where something is',
  unknownWords: ['Words of the question that no clause has', ['罐笼']],
  twins: 'Clauses that repeat it, as local rules repeat a law',
  top_k: 'Most clauses of the answer',
  'NewPolicyChunk.text': ['Text of the clause', 'A guardian stands by during hot work.'],
};

/** What the codes of errors mean. */
export const policyErrors: ErrorTexts = {
  another_version_effective: '另有一个版本正在生效；请注册取代该版本的新版本。',
  chunks_closed: '文件生效后不再接收片段（现状态 {state}）；请注册新版本。',
  index_building: '检索索引正在建立，请稍后再试。',
  no_chunks: '该文件没有片段，无法检索和引用；请先提交片段。',
  numbers_missing:
    '条款之间缺少编号（{missingNumbers}）；请对照原件，确认原件也没有后用 accept_missing_numbers 说明。',
  no_original: '该文件注册时没有原件，只有片段。',
  original_damaged: '保存的原件与注册时不符，不予提供；请重新注册并上传原件。',
  original_mismatch: '内容与注册的文件不符，未存入任何内容。',
  original_missing: '该文件的原件不在库中。',
  original_pending: '该文件的原件尚未上传，请先上传。',
  originals_missing:
    '有 {missing} 个原件（共 {stored} 个）找不到，未删除任何内容；请找回，或用 accept_missing 说明已丢失。',
  originals_unavailable: '原件库暂时不可用，未作任何修改；请稍后重新发送同一请求。',
  presign_unavailable: '没有配置公开地址，请直接下载。',
  source_key_taken: '该来源键已注册了不同的内容；新版本请另用来源键注册，并写明取代哪个文件。',
  stale_chunks: '片段在审阅之后重新提交过，请查看现在的片段。',
  state_refused: '文件现在的状态（{state}）不能这样变更，请重新查看。',
  subject_mismatch: '只能以自己的密级查询；请不填 subject，或填写自己。',
  subject_required: '请写明以谁的密级查询：x-core-subject 头，或 all_levels=1。',
  synonyms_changed: '同义词表同时被他人修改，请查看现在的内容后再改。',
};
