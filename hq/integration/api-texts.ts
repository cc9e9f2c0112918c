// What the API says of clients, webhooks and deliveries: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const integrationFields: FieldTexts = {
  callback_url: ['Where business events are sent to', 'https://partner.example/callback'],
  client_id: ['Id of the client', 'cl_5f0c2a4e'],
  client_secret: ['Its secret, which was shown once', 'flc_example'],
  grant_type: ['`client_credentials`, which is meant where it is left out', 'client_credentials'],
  signing_secret: ['Secret that deliveries are signed with; left out, one is made', 'correct-horse'],
  'DeliveryRecovery.since': ['Business events from this time on that were missed', '2026-03-01T00:00:00Z'],
  'NewWebhook.events': 'Which business events are sent',
  'WebhookChange.events': 'Which business events are sent',
};

/** What the codes of errors mean. */
export const integrationErrors: ErrorTexts = {
  client_disabled: '该客户端已停用。',
  invalid_client: '客户端凭证不正确。',
  invalid_token: '令牌无效或已过期，请重新获取。',
  several_projects: '有多个项目使用同一编码，请先修改其中一个。',
  tenant_required: '缺少 X-Tenant-Code 头。',
  too_many_requests: '该地址失败次数过多，请稍后再试。',
  unsupported_grant_type: 'grant_type 必须是 client_credentials。',
  webhook_disabled: '该 webhook 已停用，不会发送；请先启用。',
};
