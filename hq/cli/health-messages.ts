import type { EndKind } from '../../common/core/run/record.ts';
import type { UnplannedEndsView } from '../../common/core/run/schema.ts';
import type { Language } from '../../common/message.ts';

/** What `status`, `check` and `bundle` say. */
const en = {
  well: 'ALL IS WELL',
  look: 'TAKE A LOOK: fieldline-hq check',
  bad: 'NOT WELL: fieldline-hq check',
  notRunning: 'NOT RUNNING',
  hung: 'DOES NOT ANSWER',
  marks: { well: 'ok  ', look: 'LOOK', bad: 'BAD ' },
  names: {
    service: 'service',
    database: 'database',
    sites: 'sites',
    alarm: 'alarm',
  } as Readonly<Record<string, string>>,
  hub: (instance: string, version: string) => `${instance}, version ${version}`,
  runs: (version: string) => `runs, version ${version}`,
  storing: 'the database takes writes',
  notStoring:
    'the database takes no write: is PostgreSQL running, and its disk not full? See: fieldline-hq logs',
  alarms: (count: number, critical: number) =>
    count === 0
      ? 'no alarm stands'
      : `${count} ${count === 1 ? 'alarm stands' : 'alarms stand'}, ${critical} critical; see: ` +
        'fieldline-hq alarms list',
  siteHead: ['SITE', 'STATE', 'LAST HEARD', 'VERSION', 'EVENTS', 'DECISIONS WAIT', 'ALARMS'],
  siteStates: { current: 'current', late: 'late', silent: 'silent', away: 'away' },
  flows: {
    events: 'events',
    verdicts: 'verdicts, tasks',
    decisions: 'verdicts',
    evidence: 'evidence',
    notifications: 'notifications',
    orders: 'orders',
  } as Readonly<Record<string, string>>,
  flow: (name: string, at: 'site' | 'hq') => `${name}, ${at === 'site' ? 'at the site' : 'here'}`,
  never: 'never',
  noSites: 'no site is registered; add one with: fieldline-hq site add',
  allHeard: (count: number) =>
    count === 1 ? 'the one site was heard within 30 s' : `all ${count} were heard within 30 s`,
  away: (instance: string) =>
    `${instance} is planned to be away; it is back: fieldline-hq site back ${instance}`,
  notHeard: (instance: string, state: string, at: string | null) =>
    `${instance} is ${state}, ${at === null ? 'never heard' : `last heard ${at}`}; look there: ` +
    'fieldline-site status',
  fileExists: (file: string) => `${file} is there already; name a new file`,
  noFolder: (folder: string) => `there is no folder ${folder}`,
  bundled: (file: string, count: number) =>
    `${file} holds ${count} files for support: sites, alarms, audit, conflicts, journal. No secret, no ` +
    'event and no picture is in it.',
  alarm: (instance: string, key: string, message: string) => `${instance} ${key}: ${message}`,
  moreAlarms: (count: number) => `${count} more stand: fieldline-hq alarms list`,
  notWell: (instance: string, bad: boolean) =>
    `${instance} says of itself that ${bad ? 'something is wrong' : 'a person should look at it'}; ` +
    'look there: fieldline-site status',
  parked: (instance: string, what: string, count: number) =>
    `${instance}: ${count} of its ${what} were refused here and are parked there; look there: ` +
    'fieldline-site parked list',
  endKinds: {
    hang: 'it hung',
    memory: 'it took too much memory',
    failed: 'by an error of its own',
    power: 'the machine went down',
    killed: 'it was killed',
  } as Readonly<Record<EndKind, string>>,
  backup: (at: string): string => `The last backup was made ${at}`,
  noBackup: 'No backup was made by this hub',
  ends: ({ count, days, hangs, lastKind }: UnplannedEndsView, at: string): string =>
    `${count} unplanned ${count === 1 ? 'end' : 'ends'} of the program in ${days} days` +
    `${hangs > 0 ? `, ${hangs} by hanging` : ''}; the last ${at}` +
    (lastKind ? `, ${en.endKinds[lastKind]}` : ''),
};

const zh: typeof en = {
  well: '运行正常',
  look: '需要查看：fieldline-hq check',
  bad: '有故障：fieldline-hq check',
  notRunning: '未运行',
  hung: '没有应答',
  marks: { well: '正常', look: '查看', bad: '故障' },
  names: { service: '服务', database: '数据库', sites: '站点', alarm: '告警' },
  hub: (instance, version) => `${instance}，版本 ${version}`,
  runs: (version) => `运行中，版本 ${version}`,
  storing: '数据库可写',
  notStoring: '数据库不可写：请确认 PostgreSQL 正在运行且磁盘未满。查看原因：fieldline-hq logs',
  alarms: (count, critical) =>
    count === 0 ? '没有告警' : `${count} 条告警，其中 ${critical} 条严重；查看：fieldline-hq alarms list`,
  siteHead: ['站点', '状态', '上次联系', '版本', '事件', '待下发研判', '告警'],
  siteStates: { current: '正常', late: '延迟', silent: '失联', away: '计划停用' },
  flows: {
    events: '事件',
    verdicts: '研判和任务',
    decisions: '研判',
    evidence: '证据',
    notifications: '通知',
    orders: '指令',
  },
  flow: (name, at) => `${name}（${at === 'site' ? '站点' : '总部'}）`,
  never: '从未',
  noSites: '没有登记站点；用 fieldline-hq site add 登记',
  allHeard: (count) => `${count} 个站点 30 秒内均有联系`,
  away: (instance) => `${instance} 计划停用；恢复后执行 fieldline-hq site back ${instance}`,
  notHeard: (instance, state, at) =>
    `${instance} ${state}，${at === null ? '从未联系' : `上次联系 ${at}`}；请在站点查看：fieldline-site status`,
  fileExists: (file) => `${file} 已存在，请换一个文件名`,
  noFolder: (folder) => `没有目录 ${folder}`,
  bundled: (file, count) =>
    `${file} 中有 ${count} 个供技术支持使用的文件：站点、告警、审计、冲突和系统日志。其中没有密钥、事件和图片。`,
  alarm: (instance, key, message) => `${instance} ${key}：${message}`,
  moreAlarms: (count) => `另有 ${count} 条告警：fieldline-hq alarms list`,
  notWell: (instance, bad) =>
    `${instance} 自报${bad ? '有故障' : '需要查看'}；请在站点查看：fieldline-site status`,
  parked: (instance, what, count) =>
    `${instance}：有 ${count} 项${what}被总部拒收，已搁置；请在站点查看：fieldline-site parked list`,
  endKinds: {
    hang: '停滞无响应',
    memory: '内存超限',
    failed: '因自身错误退出',
    power: '随机器断电或重启',
    killed: '被强制结束',
  },
  backup: (at) => `最近一次备份：${at}`,
  noBackup: '此总部程序没有备份过',
  ends: ({ count, days, hangs, lastKind }, at) =>
    `程序 ${days} 天内非正常结束 ${count} 次${hangs > 0 ? `，其中停滞 ${hangs} 次` : ''}；` +
    `最近一次 ${at}${lastKind ? `，${zh.endKinds[lastKind]}` : ''}`,
};

export const healthMessages: Record<Language, typeof en> = { en, zh };
