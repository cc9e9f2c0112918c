import { sentences } from '../../common/message.ts';

/** What a call says on a telephone and in a mail. */
export const dutyMessages = {
  subject_event: sentences('【{severity}】{what}', '【{severity}】{what}'),
  where: sentences('{place} · {time}', '{place} · {time}'),
  more: sentences('{count} more of it', '另有 {count} 条同类事件'),
  mail_link: sentences('Take it over, with one button: {link}', '点此打开，一键接手：{link}'),
  mail_event: sentences('The event: {link}', '事件详情：{link}'),
  mail_why_duty: sentences(
    'You are called because you are on duty. Nobody else is called for {minutes} {minutes|minute|minutes}.',
    '您正在值班，因此收到此呼叫。{minutes} 分钟内无人接手将呼叫下一位。',
  ),
  mail_why_choice: sentences(
    'You are told because you chose so under "My calls".',
    '您在“我的呼叫”中选择了接收此类告警。',
  ),
  taken: sentences('{who} has taken it over', '{who} 已接手'),
  test_title: sentences('Test of your calls', '呼叫测试'),
  test_body: sentences('This device shows calls of Fieldline.', '本设备可以接收 Fieldline 的呼叫。'),
  take: sentences('I take it', '我接手'),
  open: sentences('Open', '打开'),
  critical: sentences('Critical', '严重'),
  high: sentences('High', '高'),
  medium: sentences('Medium', '中'),
  low: sentences('Low', '低'),
  operational: sentences('System alarm', '系统告警'),
  headquarters: sentences('Headquarters', '总部'),
};

/** Why a message could not be brought to somebody. */
export const sendingMessages = {
  no_way: sentences(
    'no device takes calls of this user and no e-mail address is set',
    '该用户没有可接收呼叫的设备，也未填写邮箱',
  ),
  device_gone: sentences('the device was removed by its user', '该设备已被本人移除'),
  device_dead: sentences(
    'the push service knows the device no more ({status}); it was removed',
    '推送服务已不认识该设备（{status}），已移除',
  ),
  push_refused: sentences('the push service answered {status}{answer}', '推送服务返回 {status}{answer}'),
  push_unreached: sentences('the push service was not reached: {fault}', '未能连通推送服务：{fault}'),
  no_mail_server: sentences('no channel of the operators sends e-mail', '运营方没有配置邮件通道'),
  mail_failed: sentences('the mail server: {fault}', '邮件服务器：{fault}'),
};

/** Alarms about who is on duty. */
export const dutyAlarmMessages = {
  duty_gap: sentences(
    [
      'Nobody is on duty by the rota {rota} of {tenant}. Alarms call everybody whom it names; ',
      'fill the gap under Duty.',
    ],
    '值班表 {rota}（{tenant}）当前无人值班。告警会呼叫表中所有人；请在“值班”页补上空档。',
  ),
  duty_unanswered: sentences(
    'Everybody of the rota {rota} of {tenant} was called, and nobody has taken over: {what}.',
    '值班表 {rota}（{tenant}）中的人都已呼叫，仍无人接手：{what}。',
  ),
  of_operators: sentences('the operators', '运营方'),
};
