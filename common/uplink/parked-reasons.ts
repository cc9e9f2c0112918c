// Why headquarters refused an item, in Chinese by the code of the refusal: its sentence, which names more, is
// English.
import { BASE_UNKNOWN, EVENT_OF_ANOTHER, KEY_OF_ANOTHER, STORE_FAILED } from './wire.ts';

const REASONS: Readonly<Record<string, string>> = {
  tenant_not_allowed: '总部不允许本站点使用该租户；请在总部为站点登记该租户，或更正节点的租户，然后重发。',
  validation_failed: '内容不符合总部所知的格式；请升级总部后重发。',
  event_unknown: '总部没有该条目所属的事件；事件到达后请重发。',
  [KEY_OF_ANOTHER]: '该事件的幂等键已被其他站点使用；请为各站点的摄像机使用各自的键。',
  [EVENT_OF_ANOTHER]: '所属的事件在总部属于其他站点。',
  [STORE_FAILED]: '总部写入该条目失败，其余条目不受影响；请告知总部管理员，排除原因后重发。',
  [BASE_UNKNOWN]: '总部没有此前的变更，站点会整体重传。',
};

export const parkedReasonZh = (error: string): string =>
  Object.hasOwn(REASONS, error) ? (REASONS[error] ?? '') : `总部拒收（${error}）。`;
