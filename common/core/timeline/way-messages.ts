import { sentences } from '../../message.ts';

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
