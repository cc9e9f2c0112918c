import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';
import { searchFaultMessages } from '../../common/policy/search/search-fault-messages.ts';

/** What is wrong with a file of the library, or with a question to it. Each is read after its path. */
export const policyFaultMessages = {
  asker_needed: sentences('must name the account that asks', '必须写明查询的账号'),
  asker_other: sentences(
    'must not name another account than x-core-subject',
    '不能与 x-core-subject 中的账号不同',
  ),
  levels_and_asker: sentences(
    'must not be given together with the account that asks',
    '不能与查询的账号同时给出',
  ),
  account_name: sentences(
    'must be the name of an account, in UTF-8, percent-encoded where that is needed',
    '必须是账号名称（UTF-8，必要时用百分号编码）',
  ),
  beijing_day: sentences(
    'must be a day such as 2026-03-01; it is one of Beijing time',
    '必须是日期，例如 2026-03-01（按北京时间）',
  ),
  file_name: sentences('must be a plain file name without a path', '必须是文件名，不带路径'),
  expiry_before: sentences('must not lie before effective_date', '不能早于 effective_date'),
  sha256_with_size: sentences(
    'must be given together with size; neither is for a file without an original',
    '必须与 size 一起给出；没有原件的文件两者都不填',
  ),
  vector_zero_rounded: sentences('must not be all zero as float32', '按 float32 不能全为零'),
  vector_number: sentences('has a number that is too large for float32', '中有超出 float32 范围的数'),
  vector_dimensions: sentences('must have vectors of one dimension', '各向量的维数必须相同'),
  model_with_vector: sentences('must be given together with embedding', '必须与 embedding 一起给出'),
  why_no_chunks: sentences('must say why there are no chunks', '没有片段时必须说明原因'),
  chunks_once: sentences('must name each chunk once', '每个片段只能写一次'),
  fingerprint_needed: sentences(
    'must be the fingerprint of the chunk set that was reviewed',
    '必须是所审阅片段集的指纹',
  ),
  why_withdrawn: sentences('must say why it is withdrawn', '必须说明撤回原因'),
  tenant_again: sentences('must be the tenant code once more', '必须再次填写租户代码'),
  file_of_tenant: sentences('must be a policy file of this tenant', '必须是本租户的制度文件'),
  chunk_of_tenant: sentences('must be a chunk of this tenant', '必须是本租户的片段'),
  chunk_replaced: sentences(
    'must be given, as it was shown: the chunk has been replaced since',
    '必须按当时所见给出：该片段此后已被替换',
  ),
  answer_or_refusal: sentences(
    'must be given, or else refusal_reason, and not both',
    '与 refusal_reason 必须给出其一，且只能一个',
  ),
  chunks_or_ids: sentences(
    'must be given, or else chunk_ids, and not both',
    '与 chunk_ids 必须给出其一，且只能一个',
  ),
  synonym_repeated: sentences(
    'repeats {word}, which stands in group {group} already',
    '{word} 重复：它已在第 {group} 组',
  ),
  synonym_letters: sentences(
    'must be letters and digits, at least two letters or a letter and a digit, with - _ . / and spaces only',
    '只能由文字和数字组成（至少两个字，或一个字加数字），其间可用 - _ . / 和空格',
  ),
};

export const { fault, faultAt, saying } = faultsOf({ ...searchFaultMessages, ...policyFaultMessages });
