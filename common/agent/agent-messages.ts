import { sentences } from '../message.ts';

/** Alarms of the disposition agent. */
export const agentMessages = {
  agent_events_missed: sentences(
    'Retention deleted {events} events before the agent came to them; no tasks were made for them.',
    '有 {events} 个事件在处置代理处理之前已到期删除，没有为其生成任务。',
  ),
  agent_event_failed: sentences(
    'The agent could not act on event {eventId}; make its task by hand. The log has the reason.',
    '处置代理无法处理事件 {eventId}，请人工建任务。原因见日志。',
  ),
  agent_late: sentences(
    'Events of {tenant} waited more than 4 hours for the agent; their notifications went to the inbox only.',
    '租户 {tenant} 的事件等待处置代理超过 4 小时，只通知到收件箱。',
  ),
  channel_missing: sentences(
    [
      'Rules of {tenant} notify by {channel}, but the tenant has no {channel} channel; ',
      'add one with POST /api/agent/channels.',
    ],
    '租户 {tenant} 的规则要求用 {channel} 通知，但没有配置该通道；请用 POST /api/agent/channels 添加。',
  ),
  escalation_late: sentences(
    [
      'A deadline of a task of {tenant} was found {minutes} minutes after it had passed, and was paged ',
      'only then; find out why the program was away, and look through the overdue tasks.',
    ],
    '租户 {tenant} 有任务超时 {minutes} 分钟后才被发现并通知；请查明程序为何停顿，并查看超时任务。',
  ),
  notification_failed: sentences(
    'A notification by {channel} could not be sent and was given up: {error}.',
    '一条 {channel} 通知未能送达，已放弃：{error}。',
  ),
  channel_gone: sentences('the channel was removed or disabled', '通道已被删除或停用'),
  channel_answered: sentences('the channel answered {status}', '通道应答 {status}'),
  channel_robot_answered: sentences(
    'the robot answered {member} {value}',
    '机器人应答 {member} {value}，请核对地址和签名密钥',
  ),
  channel_robot_unknown: sentences(
    'the robot answered {member} unknown',
    '机器人的应答中没有 {member}，请核对地址',
  ),
  channel_unreached: sentences('the channel cannot be reached: {system}', '无法连接通道：{system}'),
  channel_outside: sentences(
    '{fault}; allow it with AGENT_CHANNEL_NETWORKS',
    '{fault}；可用 AGENT_CHANNEL_NETWORKS 允许',
  ),
  mail_unreached: sentences('the mail server cannot be used: {fault}', '无法使用邮件服务器：{fault}'),
  mail_no_smtp: sentences(
    '{host} does not answer as a mail server; check the address and port',
    '{host} 的应答不是邮件服务器的应答，请核对地址和端口',
  ),
  mail_no_login: sentences(
    'the mail server {host} offers no way to log in; check the port, or leave out the user',
    '邮件服务器 {host} 不提供登录，请核对端口，或去掉用户名',
  ),
  mail_login_refused: sentences(
    'the mail server {host} does not take the user and password: {answer}',
    '邮件服务器 {host} 不接受用户名和密码：{answer}',
  ),
  mail_no_starttls: sentences(
    [
      'the mail server {host} does not go over to TLS by STARTTLS, and nothing is sent in clear ({answer}); ',
      'where the port speaks TLS from the start, write smtps://',
    ],
    '邮件服务器 {host} 不支持 STARTTLS，不会以明文发送（{answer}）；端口直接使用 TLS 时请写 smtps://',
  ),
  mail_sender_refused: sentences(
    'the mail server does not take {from} as the sender: {answer}',
    '邮件服务器不接受发件人 {from}：{answer}',
  ),
  mail_recipients_refused: sentences(
    'the mail server does not take {recipients} as recipients: {answer}',
    '邮件服务器不接受收件人 {recipients}：{answer}',
  ),
  mail_partly_refused: sentences(
    'the mail server does not take {recipients} as recipients: {answer}; the others have the message',
    '邮件服务器不接受收件人 {recipients}：{answer}；其他收件人已收到',
  ),
  mail_answered: sentences('the mail server {host} answered: {answer}', '邮件服务器 {host} 应答：{answer}'),
  channel_secret_unusable: sentences(
    'the secret cannot be used; the log of the program says why',
    '密钥不可用，原因见程序日志',
  ),
  notification_unclear: sentences(
    'It is not known whether a notification by {channel} was delivered: {error}.',
    '一条 {channel} 通知是否送达尚不明：{error}。',
  ),
  rules_cache_moved: sentences(
    'The rules cache was damaged ({why}); it was moved to {file}.',
    '规则缓存已损坏（{why}），已移到 {file}。',
  ),
  rules_cache_stuck: sentences(
    'The rules cache was damaged ({why}); it could not be moved.',
    '规则缓存已损坏（{why}），且无法移开。',
  ),
  rules_missing: sentences(
    [
      'Headquarters has given no rules yet, and nobody was notified of the critical event {eventId}; ',
      'look at it now, and see that headquarters can be reached.',
    ],
    '尚未取得总部的规则，紧急事件 {eventId} 没有通知任何人；请立即查看，并检查与总部的连接。',
  ),
  rules_unreadable: sentences(
    [
      'The response rules in the database cannot be read: {reason}. {standing} Events are taken and stored. ',
      'Have the table mended or restore a backup; the rules are read again every few seconds.',
    ],
    '数据库中的响应规则无法读取：{reason}。{standing}事件照常接收和存储。请修复该表或恢复备份；系统每隔几秒重新读取规则。',
  ),
  rules_none: sentences(
    'None is in force: each alert becomes a review, and no rule notifies anybody.',
    '目前没有规则生效：每条告警只生成人工复核，规则不会通知任何人。',
  ),
  rules_kept: sentences(
    'Those that were read before stay in force; what was changed since is not.',
    '之前读取的规则继续生效，此后的修改不生效。',
  ),
  rules_stale: sentences(
    'Headquarters has not confirmed the rules since {since}; the agent goes on with those that it has.',
    '规则自 {since} 起未能与总部核对，沿用已有规则。',
  ),
};
