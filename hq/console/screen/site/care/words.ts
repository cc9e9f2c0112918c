import { catalogue } from '../../../word/catalogue.ts';

export const words = catalogue({
  means: {
    zh: '向站点提出请求，站点联通后执行并答复，双方均记入审计。站点所有者可以关闭远程查看。',
    en:
      'What you ask for is done at the site once it has a link; its answer comes here. It is in the audit ' +
      'at both ends, and the owner of the site can switch it off.',
  },
  off: {
    zh: '该站点的所有者已关闭远程查看（站点设置 CORE_REMOTE_CARE=off）。',
    en: 'The owner of this site has switched looking in off (CORE_REMOTE_CARE=off there).',
  },
  unknown: {
    zh: '站点尚未告知是否允许远程查看（版本较旧或尚未连接），请求会一直等待到过期。',
    en:
      'The site has not said whether one may look in: it is older, or has not called yet. What is asked ' +
      'waits until its time is over.',
  },
  check: { zh: '检查', en: 'Check' },
  status: { zh: '状态', en: 'Status' },
  log: { zh: '日志末尾', en: 'End of the log' },
  bundle: { zh: '诊断包', en: 'Bundle' },
  picture: { zh: '当前画面', en: 'Picture now' },
  try: { zh: '试收消息', en: 'Try' },
  restart: { zh: '重启服务', en: 'Restart' },
  device: { zh: '选择设备', en: 'Choose a device' },
  asked: { zh: '已提出，等待站点答复', en: 'Asked; the answer comes from the site' },
  restartTitle: { zh: '重启 {site} 的服务', en: 'Restart the service of {site}' },
  restartWhy: {
    zh: '服务会停止并重新启动，期间约数秒不接收事件；摄像机会重发。一小时内站点未联通则不再执行。',
    en:
      'The service ends and starts again, and takes no events for some seconds; cameras send again. It is ' +
      'not done where the site has no link within an hour.',
  },
  what: { zh: '内容', en: 'What' },
  state: { zh: '状态', en: 'State' },
  at: { zh: '提出时间', en: 'Asked' },
  by: { zh: '提出人', en: 'By' },
  answer: { zh: '答复', en: 'Answer' },
  view: { zh: '查看', en: 'View' },
  download: { zh: '下载', en: 'Download' },
  coming: { zh: '文件上传中，已收到 {percent}%', en: 'The file is coming: {percent}%' },
  empty: { zh: '站点没有返回内容', en: 'The site said nothing' },
  none: { zh: '尚未向该站点提出请求', en: 'This site was asked nothing yet' },
  close: { zh: '关闭', en: 'Close' },
  waiting: { zh: '在总部等待', en: 'Waits here' },
  sent: { zh: '已下发', en: 'Sent' },
  late: { zh: '已下发，逾期未答复', en: 'Sent, no answer in time' },
  done: { zh: '已答复', en: 'Answered' },
  failed: { zh: '失败', en: 'Failed' },
  refused: { zh: '被拒绝', en: 'Refused' },
  expired: { zh: '已过期', en: 'Expired' },
  withdrawn: { zh: '已撤回', en: 'Withdrawn' },
  mayBeDone: {
    zh: '撤回前已下发，站点可能已执行；之后到达的答复会显示在此。',
    en: 'It was sent before that; the site may have done it. An answer that comes is shown here.',
  },
  withdraw: { zh: '撤回', en: 'Withdraw' },
  withdrawTitle: { zh: '撤回请求：{what}', en: 'Withdraw the request: {what}' },
  withdrawUnsent: {
    zh: '请求仍在总部等待，撤回后不会下发到站点。',
    en: 'It waits here still. Once withdrawn it does not go to the site.',
  },
  withdrawSent: {
    zh: '请求已下发，无法从站点收回，站点可能已执行；之后到达的答复仍会保存。',
    en:
      'It was sent and cannot be called back: the site may have done it. An answer that comes after all is ' +
      'kept.',
  },
  withdrawnUnsent: { zh: '已撤回，未下发到站点', en: 'Withdrawn; it never went to the site' },
  withdrawnSent: { zh: '已撤回；站点可能已执行', en: 'Withdrawn; the site may have done it' },
});
