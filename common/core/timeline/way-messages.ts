import { type Message, type MessageOf, say, sentences } from '../../message.ts';
import type { ChannelName, NotificationState } from '../notification/record.ts';
import type { NotifiedWay, Sentence } from './record.ts';

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
