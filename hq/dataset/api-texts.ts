// What the API says of sources and datasets: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const datasetFields: FieldTexts = {
  base_url: ['Address of the business system', 'https://business.example/datasets'],
  dataset: ['Key of the dataset', 'milestones'],
  datasets: ['The datasets', [{ dataset: 'milestones' }]],
  page_rows: 'Rows of one page of the source',
  overlap_seconds: 'How far behind its cursor each pull begins again, seconds',
  processor: 'What its rows feed; `none`: they are only kept',
  schedule: ['When it is pulled: a cron expression in Beijing time', '*/15 * * * *'],
  schema_version: ['Version of the contract that is accepted', '2'],
  'NewSource.key_id': ['Id of the key that the source gave', 'fieldline'],
  'NewSource.secret_ref': ['Reference to the secret of that key', 'secret:business-key'],
  'Recomputation.datasets': ['Keys of the datasets; left out, all', ['milestones']],
  'SourceChange.key_id': ['Id of the key that the source gave', 'fieldline'],
  'SourceChange.secret_ref': ['Reference to the secret of that key', 'secret:business-key'],
};

/** What the codes of errors mean. */
export const datasetErrors: ErrorTexts = {
  contract_unusable: '该数据集缺少处理器所需的字段；请让数据源声明这些字段，或先换用其他处理器。',
  cursor_moved: '该数据集的位置已变化，请重新发送同一请求。',
  nothing_offered: '数据源声明的格式与现有约定相同，没有待接受的变更。',
  other_version_offered: '数据源给出的是另一版本的格式，请先查看该版本。',
  processor_taken: '该租户的另一数据源已在为该处理器供数；请先从那里取消，或本数据集不使用处理器。',
  source_disabled: '该数据源已停用，请先启用。',
  source_exists: '该租户已有同名数据源；请修改现有数据源，或换一个名称。',
};
