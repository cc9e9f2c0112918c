import { servedFaultMessages } from '../../common/dataset/dataset-fault-messages.ts';
import { messageOf, saidOf, toldBy } from '../../common/http/fault/fault.ts';
import { inputFaultMessages } from '../../common/http/fault/fault-messages.ts';
import { transportMessages } from '../../common/http/outbound/transport-messages.ts';
import { type MessageOf, sentences } from '../../common/message.ts';

/** Why a dataset of a source is not pulled: the source broke its contract, or could not be read. */
export const sourceMessages = {
  dataset_fields_missing: sentences(
    'The dataset {dataset} does not declare what {processor} needs: {fields}.',
    '数据集 {dataset} 没有声明处理器 {processor} 所需的字段：{fields}。',
  ),
  dataset_not_listed: sentences(
    'The source does not list the dataset {dataset}; it lists: {listed}.',
    '数据源没有列出数据集 {dataset}；它列出的有：{listed}。',
  ),
  lists_nothing: sentences('none', '无'),
  contract_changed: sentences(
    [
      'The source declares {dataset} otherwise: {changes}. Take the new contract with {call}, ',
      'or have the source corrected.',
    ],
    '数据源对 {dataset} 的声明已变更：{changes}。请用 {call} 接受新约定，或让数据源更正。',
  ),
  change_version: sentences('schema version {before} → {after}', '格式版本 {before} → {after}'),
  change_new: sentences('new field {name} ({type})', '新增字段 {name}（{type}）'),
  change_type: sentences('field {name} {before} → {after}', '字段 {name} 类型 {before} → {after}'),
  change_gone: sentences('field {name} is gone', '字段 {name} 已取消'),
  change_more: sentences('and {count} more', '另有 {count} 处'),
  descriptor_malformed: sentences(
    'The list of datasets is not one of this interface: {faults}.',
    '数据集列表不符合本接口：{faults}。',
  ),
  page_malformed: sentences(
    'The page is not one of this interface: {faults}.',
    '数据页不符合本接口：{faults}。',
  ),
  fault_at: sentences('{path} {fault}', '成员 {path} {fault}'),
  source_set_back: sentences(
    'The source stands at {asOf}, before the position {cursor}: it was set back. Recompute the dataset.',
    '数据源的时间为 {asOf}，早于已读到的位置 {cursor}：数据源曾被回退。请重新计算该数据集。',
  ),
  page_empty: sentences('The page is empty and says that there is more.', '数据页为空，却称还有更多数据。'),
  page_cursor: sentences(
    'nextCursor is not the position of the last row, {position}.',
    'nextCursor 不是最后一行的位置 {position}。',
  ),
  page_repeats: sentences(
    'The source gives the page up to {cursor} again and again.',
    '数据源反复给出到 {cursor} 为止的同一页。',
  ),
  page_too_large: sentences(
    'The page has {rows} rows; a page has at most {most}.',
    '该页有 {rows} 行，一页最多 {most} 行。',
  ),
  page_time: sentences('asOf is not a time with a zone.', 'asOf 不是带时区的时间。'),
  page_version: sentences(
    'The page is of schema version {version}, the contract of {agreed}.',
    '该页的格式版本为 {version}，约定的是 {agreed}。',
  ),
  row_back: sentences(
    'Row {row} (pk {pk}) is of {time}, before {before}.',
    '第 {row} 行（pk {pk}）的时间 {time} 早于前一行的 {before}。',
  ),
  row_no_id: sentences(
    'The pk {pk} of row {row} must be an integer from 0 to 2^63 - 1 for {processor}.',
    '处理器 {processor} 要求第 {row} 行的 pk {pk} 是 0 至 2^63 - 1 的整数。',
  ),
  row_out_of_range: sentences(
    'The field {field} of row {row} (pk {pk}) is {value}, and the most is {most}; the batch is refused.',
    '第 {row} 行（pk {pk}）的字段 {field} 为 {value}，最大为 {most}；本批被拒收。',
  ),
  value_text: sentences('text of {size} characters', '{size} 个字符的文本'),
  value_number: sentences('{value}', '数值 {value}'),
  row_no_object: sentences('row {row} is not an object.', '第 {row} 行不是对象。'),
  row_no_key: sentences(
    'The pk of row {row} is not 1 to {most} characters of text.',
    '第 {row} 行的 pk 不是 1 至 {most} 个字符的文本。',
  ),
  row_time: sentences(
    'updated_at of row {row} (pk {pk}) is not a time with a zone and at most microseconds.',
    '第 {row} 行（pk {pk}）的 updated_at 不是带时区、最多到微秒的时间。',
  ),
  row_undeclared: sentences(
    'The field {field} of row {row} (pk {pk}) is not declared in the contract; the batch is refused.',
    '第 {row} 行（pk {pk}）的字段 {field} 未在约定中声明；本批被拒收。',
  ),
  row_type: sentences(
    'The field {field} of row {row} (pk {pk}) is not of the declared type {type}; the batch is refused.',
    '第 {row} 行（pk {pk}）的字段 {field} 不是所声明的类型 {type}；本批被拒收。',
  ),
  row_deleted: sentences(
    'deleted of row {row} (pk {pk}) is not true or false.',
    '第 {row} 行（pk {pk}）的 deleted 不是 true 或 false。',
  ),
  rows_ahead_left: sentences(
    [
      "Rows stamped after the source's own time, {asOf}, are not taken until that time has come: {rows}. ",
      'Everything else was taken.',
    ],
    '有数据行的时间晚于数据源自己的时间 {asOf}，到时才会接收：{rows}。其余均已接收。',
  ),
  rows_ahead_many: sentences(
    [
      "Rows stamped after the source's own time, {asOf}, are not taken until that time has come: {rows}. ",
      'Everything else was taken. There are too many of them to recompute.',
    ],
    '部分数据的更新时间晚于数据源自身的时间 {asOf}，到时之前不会入库：{rows}。其余均已入库。此类数据过多，不能重新计算。',
  ),
  share_full: sentences(
    [
      'The datasets of this tenant have {rows} of {mostRows} rows and {bytes} of {mostBytes} bytes that ',
      'they may have (CORE_DATASET_TENANT_ROWS, CORE_DATASET_TENANT_BYTES), and the next page is too much. ',
      'What has landed stays, and nothing is skipped: the pull goes on from here once there is room.',
    ],
    [
      '该租户的数据集已占 {mostRows} 行中的 {rows} 行、{mostBytes} 字节中的 {bytes} 字节',
      '（CORE_DATASET_TENANT_ROWS、CORE_DATASET_TENANT_BYTES），下一页已放不下。已入库的数据不受影响，也不会跳过任何数据：有空间后从此处继续。',
    ],
  ),
  source_answered: sentences('the source answered {status}{hint}', '数据源应答 {status}{hint}'),
  hint_redirect: sentences(
    '; redirects are not followed, base_url must be where they lead{where}',
    '；不跟随重定向，base_url 必须是最终地址{where}',
  ),
  hint_ahead: sentences(
    [
      '; its clock is {seconds} s ahead of that of headquarters, and a signature holds for {most} s: ',
      'set the one that is wrong',
    ],
    '；其时钟比总部快 {seconds} 秒，而签名的有效期为 {most} 秒：请校准有误的一方',
  ),
  hint_behind: sentences(
    [
      '; its clock is {seconds} s behind that of headquarters, and a signature holds for {most} s: ',
      'set the one that is wrong',
    ],
    '；其时钟比总部慢 {seconds} 秒，而签名的有效期为 {most} 秒：请校准有误的一方',
  ),
  hint_key: sentences(
    '; look at key_id, and whether the secret behind secret_ref is the one that the source has for it',
    '；请核对 key_id，以及 secret_ref 所指的密钥是否与数据源中的一致',
  ),
  hint_address: sentences(
    '; look at base_url, which is what lies before {path}, and at the tenant of the key',
    '；请核对 base_url（{path} 之前的部分）和该密钥的租户',
  ),
  source_too_large: sentences(
    'the answer of the source has more members than a page can have',
    '数据源的应答成员过多，超出一页的上限',
  ),
  source_no_json: sentences('the answer of the source is not JSON', '数据源的应答不是 JSON'),
  source_unsigned: sentences(
    'the call cannot be signed: the secret cannot be used; the log of the program says why',
    '请求无法签名：密钥不可用，原因见程序日志',
  ),
  source_unreached: sentences('{fault}', '无法读取数据源：{fault}'),
  source_refused: sentences(
    '{fault}; allow it with CORE_DATASET_NETWORKS',
    '{fault}；可用 CORE_DATASET_NETWORKS 允许',
  ),
};

export type SourceMessage = MessageOf<typeof sourceMessages>;

/** Those, and what they name: faults of what the source sent, and of the connection to it. */
export const sourceReasons = {
  ...inputFaultMessages,
  ...servedFaultMessages,
  ...transportMessages,
  ...sourceMessages,
};

/** Faults that a message names. */
const NAMED_FAULTS = 3;

/** The first faults of a schema check. */
export const faultsIn = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): SourceMessage[] =>
  issues.slice(0, NAMED_FAULTS).map((issue) => ({
    code: 'fault_at',
    params: {
      path: issue.path.map(String).join('.'),
      fault: messageOf(toldBy(issue) ?? saidOf('wrong_form')),
    },
  }));
