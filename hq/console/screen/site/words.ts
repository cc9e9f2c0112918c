import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '现场', en: 'Sites' },
  under: { zh: '哪个现场不正常？从什么时候开始？', en: 'Who is not well, and since when?' },
  count: { zh: '共 {count} 个现场', en: '{count} sites' },
  find: { zh: '按现场或租户查找', en: 'Find a site or tenant' },
  care: { zh: '只看需要关注的', en: 'Only those that need care' },
  stateFilter: { zh: '状态', en: 'State' },
  none: { zh: '尚未登记现场', en: 'No site is registered yet' },
  state: { zh: '状态', en: 'State' },
  site: { zh: '现场', en: 'Site' },
  tenant: { zh: '租户', en: 'Tenant' },
  current: { zh: '在线', en: 'Live' },
  late: { zh: '迟到', en: 'Late' },
  silent: { zh: '失联', en: 'Silent' },
  since: { zh: '自 {at}', en: 'since {at}' },
  neverHeard: { zh: '从未联系', en: 'never heard' },
  waiting: { zh: '待处理', en: 'Waiting' },
  toSite: { zh: '下发结论 {count}', en: '{count} verdicts to send down' },
  oldest: { zh: '最早待发', en: 'Oldest unsent' },
  notifications: { zh: '通知 {count}', en: '{count} messages' },
  files: { zh: '文件 {count}', en: '{count} files' },
  refused: { zh: '拒收', en: 'Refused' },
  shed: { zh: '为腾空间已删除', en: 'Deleted for room' },
  shedCounts: {
    zh: '事件 {events}、观测 {observations}、文件 {files}',
    en: '{events} events, {observations} observations, {files} files',
  },
  disk: { zh: '磁盘余量', en: 'Disk left' },
  diskFull: { zh: '磁盘已满', en: 'Disk full' },
  clock: { zh: '时钟', en: 'Clock' },
  clockSuspect: { zh: '不可信', en: 'Not to be trusted' },
  clockGood: { zh: '正常', en: 'Right' },
  version: { zh: '版本', en: 'Version' },
  lastSeen: { zh: '最后联系', en: 'Last seen' },
  alarms: { zh: '告警', en: 'Alarms' },
  silentCameras: { zh: '静默摄像机', en: 'Silent cameras' },
  notStoring: { zh: '不能存储', en: 'Not storing' },
  explain: { zh: '状态说明', en: 'What the states mean' },
  currentMeans: {
    zh: '30 秒内收到过该现场的数据或心跳。',
    en: 'It was heard within the last 30 seconds.',
  },
  lateMeans: {
    zh: '超过 30 秒、不到 10 分钟没有消息：链路可能短暂中断，数据在现场排队，不会丢失。',
    en:
      'Not heard for more than 30 seconds, less than 10 minutes: the link may be down for a moment. ' +
      'What happens meanwhile waits at the site and is not lost.',
  },
  silentMeans: {
    zh: '超过 10 分钟没有消息，或从未联系：请检查网络、电源或网关。现场继续存储，恢复后补传。',
    en:
      'Not heard for more than 10 minutes, or never: look at network, power or gateway. ' +
      'The site goes on storing and sends all of it afterwards.',
  },
});
