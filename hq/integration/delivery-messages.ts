import { transportMessages } from '../../common/http/outbound/transport-messages.ts';
import { type MessageOf, sentences, translate } from '../../common/message.ts';

/** What came of attempts of a delivery, and why it ended otherwise. */
export const deliveryMessages = {
  delivery_answered: sentences('The receiver answered {status}.', '接收方应答 {status}。'),
  delivery_redirected: sentences(
    [
      'The receiver answered {status}; redirects are not followed, callback_url must be where they ',
      'lead{where}.',
    ],
    '接收方应答 {status}；不跟随重定向，callback_url 必须是最终地址{where}。',
  ),
  delivery_unsigned: sentences(
    'Nothing was sent: the signing secret cannot be read here.',
    '未发送：本总部读不到签名密钥，原因见日志。',
  ),
  delivery_hub_stopped: sentences(
    'The hub stopped before the receiver had answered.',
    '接收方应答之前总部停止运行。',
  ),
  delivery_refused: sentences(
    '{fault}; the operator can allow it with CORE_WEBHOOK_NETWORKS',
    '{fault}；运营方可用 CORE_WEBHOOK_NETWORKS 允许。',
  ),
  delivery_unreached: sentences('{fault}', '未送达：{fault}。'),
  delivery_sender_lost: sentences(
    'The process that sent it ended before it knew the answer.',
    '投递的进程在得知应答之前结束。',
  ),
  delivery_last_sender_lost: sentences(
    'The process that sent it for the last time ended before it knew the answer.',
    '最后一次投递的进程在得知应答之前结束。',
  ),
  delivery_resent: sentences('It was sent again by hand.', '已人工重发。'),
  delivery_webhook_disabled: sentences(
    'The webhook was disabled while this delivery waited.',
    '等待投递时 webhook 被停用。',
  ),
  delivery_webhook_deleted: sentences(
    'The webhook was deleted while this delivery waited.',
    '等待投递时 webhook 被删除。',
  ),
  delivery_before: sentences('Before:', '此前：'),
  delivery_then_taken: sentences(
    'The attempt that was under way then was taken by the receiver.',
    '当时正在进行的投递已被接收方接收。',
  ),
  delivery_then_failed: sentences('The attempt that was under way then failed:', '当时正在进行的投递失败：'),
};
export type DeliveryMessage = MessageOf<typeof deliveryMessages>;

/** A message without particulars as JSON, for statements that add it to what a row tells. */
export const toldJson = (...codes: (keyof typeof deliveryMessages)[]): string =>
  JSON.stringify(codes.map((code) => ({ code, params: {} })));

const known = { ...transportMessages, ...deliveryMessages };

/** What a row tells in Chinese; null where an older version wrote it, or another one knows its codes. */
export function deliveryInChinese(told: readonly unknown[] | null): string | null {
  const parts = (told ?? []).map((one) => translate(known, one, 'zh'));
  return parts.length === 0 || parts.includes(null) ? null : parts.join('');
}
