import { sentences } from '../../message.ts';

/** What is wrong with a member that only headquarters takes. Each is read after its path. */
export const hqFaultMessages = {
  tenant_needed: sentences('is required for a customer', '客户用户必填'),
  tenant_unwanted: sentences('is only for a customer', '只用于客户用户'),
  operators_only: sentences('{name} is only for operators', '{name} 只能授予运营方用户'),
  user_unchanged: sentences(
    'must change something: disabled, permissions or password',
    '至少要改一项：disabled、permissions 或 password',
  ),
  password_same: sentences('must not be the present one', '不能与现密码相同'),
  password_short: sentences('must have at least {least} characters', '至少 {least} 个字符'),
  password_guessable: sentences(
    [
      'is too easy to guess: it is made of a common password, a name, a date, a sequence or repetitions; ',
      'several unrelated words will do',
    ],
    '容易被猜到：由常用密码、名称、日期、连续或重复的字符组成；可用几个不相关的词',
  ),
  retry_key: sentences(
    'must have 1 to 255 printable ASCII characters, and no blank',
    '须为 1 至 255 个可打印 ASCII 字符，不含空格',
  ),
  callback_url: sentences(
    'must start with http:// or https://, name a host, and hold no user name, password or blank',
    '必须以 http:// 或 https:// 开头并写明主机，不含用户名、密码和空格',
  ),
  callback_outside: sentences(
    '{host} lies outside the allowed networks; the operator can allow it with CORE_WEBHOOK_NETWORKS',
    '{host} 不在允许的网络范围内；运营方可用 CORE_WEBHOOK_NETWORKS 允许',
  ),
  reason_unwanted: sentences(
    'is why a webhook is disabled: give it with the status `disabled` only',
    '是停用 webhook 的原因，只能与状态 disabled 一起给出',
  ),
  recovery_too_far: sentences('must lie within the last {days} days', '必须在最近 {days} 天内'),
  secret_in_two_places: sentences(
    'is in the body and in the Authorization header; send it once',
    '同时出现在请求体和 Authorization 头中，请只发送一处',
  ),
  tenant_in_two_places: sentences(
    'is another than in the header X-Tenant-Code',
    '与 X-Tenant-Code 头中的不同',
  ),
  client_in_two_places: sentences(
    'is another than in the Authorization header',
    '与 Authorization 头中的不同',
  ),
  source_address: sentences(
    'must be an http:// or https:// address without user name, password, query or fragment',
    '必须是 http:// 或 https:// 地址，不含用户名、密码、查询参数和片段',
  ),
  datasets_once: sentences('must name each dataset once', '每个数据集只能写一次'),
  processors_once: sentences('must feed each processor from one dataset', '每个处理器只能由一个数据集供数'),
  cron: sentences(
    'is not a cron expression such as 0 2 * * *; not understood: {parts}',
    '不是有效的 cron 表达式（例如 0 2 * * *）；无法理解：{parts}',
  ),
  cron_days: sentences(
    'must name days by number or name; L, W and # are not known here',
    '日期须用数字或名称表示，不支持 L、W 和 #',
  ),
  cron_never: sentences('names no day that exists', '没有符合的日期'),
  caller_tenant: sentences('is required, since this caller is bound to none', '必填：该调用方未绑定租户'),
  one_of_site: sentences(
    'is required, or another member of a site',
    '与 display_name、continues、silent_after_minutes、away 至少给出其一',
  ),
  site_no_more: sentences(
    'must be names of sites that are no more, neither this site nor headquarters',
    '必须是已不存在的站点的名称，不能是本站点或总部',
  ),
  not_text: sentences('must be text, not a file', '必须是文本，不能是文件'),
  not_file: sentences(
    'must be a file, with filename and Content-Type',
    '必须是文件，并带 filename 和 Content-Type',
  ),
  json_bounds: sentences(
    'must be at most {most} bytes as JSON and {levels} levels deep',
    '以 JSON 计最多 {most} 字节，嵌套最多 {levels} 层',
  ),
  section_needed: sentences('must name at least one section', '至少要写一节'),
  section_not_editable: sentences('is not for people to revise', '不允许人工修改'),
  section_missing: sentences('does not exist', '不存在'),
  ref_pair: sentences(
    'must be given too: ref_key and ref_value go together',
    '也必须给出：ref_key 与 ref_value 须同时给出',
  ),
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
  vector_zero: sentences('must not be all zero', '不能全为零'),
  vector_zero_rounded: sentences('must not be all zero as float32', '按 float32 不能全为零'),
  vector_number: sentences('has a number that is too large for float32', '中有超出 float32 范围的数'),
  vector_numbers: sentences('must be 32-bit floating-point numbers', '必须是 32 位浮点数'),
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
  cursor_order: sentences('must not be less than {member}', '不能小于 {member}'),
  item_position: sentences(
    'must be the position of the item, a positive integer',
    '必须是该条目的位置，为正整数',
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
