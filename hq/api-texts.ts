// What the API says of several rooms of headquarters: a new member or code is an edit here alone.
import type { ErrorTexts } from '../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../common/http/openapi/field-texts.ts';

const MS = 1_772_323_200_000;

/** What the members of request bodies mean. */
export const hubFields: FieldTexts = {
  created_at: ['When it was made, epoch milliseconds', MS],
  reason: ['Why, for people', 'Replaced by the new edition'],
  security_level: 'How secret it is; left out, internal',
  src_system: ['The system that it comes from', 'agent'],
  state: 'The state that it is in, or goes to',
  status: 'Whether it is at work',
  subject: ['The account that asks, or that is meant', 'li'],
  version: ['Version of it', '1.0.0'],
};

/** What the codes of errors mean. */
export const hubErrors: ErrorTexts = {
  task_of_site: '该任务由站点保管，请在站点操作。',
  tenant_not_allowed: '控制台只能操作运营方租户和评测租户。',
  unstorable_text: '文本含有 NUL 或不是有效的 Unicode，无法保存。',
};
