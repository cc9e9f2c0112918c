import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a client of the open interface or with a webhook. Each is read after its path. */
export const integrationFaultMessages = {
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
};

export const { fault, faultAt, saying } = faultsOf(integrationFaultMessages);
