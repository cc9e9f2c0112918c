import { sentences } from '../../common/message.ts';

/** Alarms of webhooks and tokens. */
export const integrationAlarmMessages = {
  webhook_sender_lost: sentences(
    [
      'The process that sent a delivery for the fifth time ended before it knew the answer. ',
      'Ask the receiver, and send it again by hand if it is missing.',
    ],
    '第五次投递的进程在得知应答之前结束。请向接收方核实；如未收到，请人工重发。',
  ),
  token_client_held: sentences(
    [
      'The client {client} ({id}) sent {limit} wrong requests for a token within 15 minutes from ',
      '{addresses}; further ones from there are refused. Find who still has an old secret; to lift ',
      'the refusal, give the ',
      'client a new secret or enable it again.',
    ],
    [
      '客户端 {client}（{id}）15 分钟内从 {addresses} 发出 {limit} 次错误的令牌请求，来自该处的后续请求被拒绝。',
      '请查明谁仍在使用旧密钥；更换密钥或再次启用该客户端即可解除。',
    ],
  ),
  token_address_held: sentences(
    [
      '{limit} wrong requests for tokens came from {address} within 15 minutes; further ones from there ',
      'that are wrong are not counted any more. Where the address is a proxy, name it in ',
      'CORE_TRUSTED_PROXIES, ',
      'so that callers are told apart.',
    ],
    [
      '15 分钟内从 {address} 发来 {limit} 次错误的令牌请求，来自该处的后续错误请求不再逐一核对。',
      '如果该地址是代理，请在 CORE_TRUSTED_PROXIES 中登记，以便区分各调用方。',
    ],
  ),
  webhooks_overdue: sentences(
    [
      '{count} webhook deliveries have been due for more than a minute and nobody sends them. ',
      'Check whether the hub keeps up and can reach its database.',
    ],
    '有 {count} 条 webhook 投递到期超过一分钟仍未发送。请检查总部的负载和数据库连接。',
  ),
  webhook_unsigned: sentences(
    [
      'Deliveries to the webhook {webhook} wait, because this hub cannot read its signing secret. Give ',
      'every hub ',
      'process the master key that sealed it, or rotate the secret with overlap_hours 0.',
    ],
    [
      'webhook {webhook} 的投递在等待：本总部读不到其签名密钥。',
      '请让每个总部进程使用封存它的主密钥，或以 overlap_hours 0 更换密钥。',
    ],
  ),
  webhook_failing: sentences(
    [
      'The webhook {webhook} did not accept a delivery in five attempts. ',
      'When its receiver answers again, deliver what it missed with recover.',
    ],
    'webhook {webhook} 的一条投递连续五次未被接收。接收方恢复后，请用 recover 补投。',
  ),
};
