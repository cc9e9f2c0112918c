import { type Message, type MessageOf, say, sentences } from '../../message.ts';
import type { ChannelName, NotificationState } from '../notification/record.ts';
import type { CallMessage, NotifiedWay, Sentence } from './record.ts';

/** Which way a notification of an event went, and how; not to whom. */
export const wayMessages = {
  notified: sentences('Notified by {channel}: {status}{summary}.', '通过{channel}通知：{status}{summary}。'),
  notified_by_own_channel: sentences(
    'Notified by {channel}, through a channel kept here: {status}{summary}.',
    '经本地通道通过{channel}通知：{status}{summary}。',
  ),
  notified_by_headquarters: sentences(
    'Notified by {channel}, through headquarters: {status}{summary}.',
    '经总部通道通过{channel}通知：{status}{summary}。',
  ),
  notified_for_site: sentences(
    'Notified by {channel} for the site {site}: {status}{summary}.',
    '为站点 {site} 通过{channel}通知：{status}{summary}。',
  ),
  way_inbox: sentences('inbox', '站内信'),
  way_chat: sentences('chat', '群聊'),
  way_sms: sentences('sms', '短信'),
  notified_pending: sentences('pending', '待发送'),
  notified_sent: sentences('sent', '已发送'),
  notified_failed: sentences('failed', '发送失败'),
  summary_succeeded: sentences(', model summary succeeded', '，模型摘要成功'),
  summary_failed: sentences(', model summary failed', '，模型摘要失败'),
  called: sentences('Called {who} by {way}, {why}: {status}.', '呼叫 {who}（{way}，{why}）：{status}。'),
  call_shown: sentences('The device of {who} showed the call.', '{who} 的设备已显示呼叫。'),
  call_opened: sentences('{who} opened the call.', '{who} 打开了呼叫。'),
  call_taken: sentences('{who} has taken it over.', '{who} 已接手。'),
  call_push: sentences('push', '推送'),
  call_email: sentences('e-mail', '邮件'),
  call_duty: sentences('on duty', '值班'),
  call_choice: sentences('by own choice', '本人选择接收'),
  call_pending: sentences('on its way', '发送中'),
  call_sent: sentences('taken by the service', '服务已接收'),
  call_failed: sentences('not sent ({reason})', '未能送出（{reason}）'),
  call_no_way: sentences('no device and no address', '没有接收设备，也没有邮箱'),
  call_cancelled: sentences('not sent any more', '已接手，不再发送'),
};

interface Notified {
  channel: ChannelName;
  status: NotificationState;
  summary: 'succeeded' | 'failed' | null;
  way: NotifiedWay;
}

const plain = (code: keyof typeof wayMessages): Message => ({ code, params: {} });

export function notified({ channel, status, summary, way }: Notified): Sentence & { code: string } {
  const params = {
    channel: plain(`way_${channel}`),
    status: plain(`notified_${status}`),
    summary: summary === null ? '' : plain(`summary_${summary}`),
  };
  const codes = {
    none: 'notified',
    own: 'notified_by_own_channel',
    headquarters: 'notified_by_headquarters',
  } as const;
  const message: MessageOf<typeof wayMessages> =
    way.of === 'site'
      ? { code: 'notified_for_site', params: { ...params, site: way.site } }
      : { code: codes[way.of], params };
  return {
    code: message.code,
    text: say(wayMessages, message, 'en'),
    textZh: say(wayMessages, message, 'zh'),
  };
}

type WayMessage = MessageOf<typeof wayMessages>;

const inBoth = (message: WayMessage): Sentence => ({
  text: say(wayMessages, message, 'en'),
  textZh: say(wayMessages, message, 'zh'),
});

export function callSent({ userName, way, reason, state, lastError }: CallMessage): Sentence {
  const status: Message =
    state === 'failed'
      ? {
          code: 'call_failed',
          params: { reason: lastError === 'no_way' ? plain('call_no_way') : (lastError ?? '') },
        }
      : plain(`call_${state}`);
  const why = plain(reason === 'duty' ? 'call_duty' : 'call_choice');
  return inBoth({ code: 'called', params: { who: userName, way: plain(`call_${way}`), why, status } });
}

export const callShown = (who: string): Sentence => inBoth({ code: 'call_shown', params: { who } });
export const callOpened = (who: string): Sentence => inBoth({ code: 'call_opened', params: { who } });
export const callTaken = (who: string): Sentence => inBoth({ code: 'call_taken', params: { who } });
