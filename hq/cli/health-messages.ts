import { type Say, sentences } from '../../common/message.ts';
import { diskRefusal } from '../../common/program-messages.ts';

/** What `status`, `check` and `bundle` say. */
export const healthMessages = {
  ...diskRefusal,
  well: sentences('ALL IS WELL', '运行正常'),
  look: sentences('TAKE A LOOK: fieldline-hq check', '需要查看：fieldline-hq check'),
  bad: sentences('NOT WELL: fieldline-hq check', '有故障：fieldline-hq check'),
  notRunning: sentences('NOT RUNNING', '未运行'),
  hung: sentences('DOES NOT ANSWER', '没有应答'),
  marks_well: sentences('ok  ', '正常'),
  marks_look: sentences('LOOK', '查看'),
  marks_bad: sentences('BAD ', '故障'),
  names_service: sentences('service', '服务'),
  names_database: sentences('database', '数据库'),
  names_disk: sentences('disk', '磁盘'),
  names_sites: sentences('sites', '站点'),
  names_alarm: sentences('alarm', '告警'),
  hub: sentences('{instance}, version {version}', '{instance}，版本 {version}'),
  runs: sentences('runs, version {version}', '运行中，版本 {version}'),
  storing: sentences('the database takes writes', '数据库可写'),
  notStoring: sentences(
    [
      'the database takes no write: is PostgreSQL running, and its disk neither full nor read-only? See: ',
      'fieldline-hq logs',
    ],
    '数据库不可写：请确认 PostgreSQL 正在运行，磁盘未满且未变为只读。查看原因：fieldline-hq logs',
  ),
  noAlarms: sentences('no alarm stands', '没有告警'),
  alarms: sentences(
    '{count} {count|alarm stands|alarms stand}, {critical} critical; see: fieldline-hq alarms list',
    '{count} 条告警，其中 {critical} 条严重；查看：fieldline-hq alarms list',
  ),
  siteHead: sentences(
    'SITE | STATE | LAST HEARD | VERSION | EVENTS | DECISIONS WAIT | ALARMS',
    '站点 | 状态 | 上次联系 | 版本 | 事件 | 待下发研判 | 告警',
  ),
  siteStates_current: sentences('current', '正常'),
  siteStates_late: sentences('late', '延迟'),
  siteStates_silent: sentences('silent', '失联'),
  siteStates_away: sentences('away', '计划停用'),
  flows_events: sentences('events', '事件'),
  flows_verdicts: sentences('verdicts, tasks', '研判和任务'),
  flows_decisions: sentences('verdicts', '研判'),
  flows_evidence: sentences('evidence', '证据'),
  flows_notifications: sentences('notifications', '通知'),
  flows_orders: sentences('orders', '指令'),
  flowHead: sentences(
    'SITE | WHAT | WAITS | BYTES | SINCE | FAILED | LAST FAULT',
    '站点 | 内容 | 积压 | 字节 | 最早 | 失败 | 最近故障',
  ),
  flow_site: sentences('{name}, at the site', '{name}（站点）'),
  flow_hq: sentences('{name}, here', '{name}（总部）'),
  never: sentences('never', '从未'),
  sitesUnread: sentences(
    'how the sites are cannot be read; the alarms and fieldline-hq logs say why',
    '无法读取各站点的状态；原因见告警和 fieldline-hq logs',
  ),
  noSites: sentences(
    'no site is registered; add one with: fieldline-hq site add',
    '没有登记站点；用 fieldline-hq site add 登记',
  ),
  oneHeard: sentences('the one site was heard within 30 s', '1 个站点 30 秒内均有联系'),
  allHeard: sentences('all {count} were heard within 30 s', '{count} 个站点 30 秒内均有联系'),
  away: sentences(
    '{site} is planned to be away; it is back: fieldline-hq site back {instance}',
    '{site} 计划停用；恢复后执行 fieldline-hq site back {instance}',
  ),
  notHeard: sentences(
    '{site} is {state}, {last}; look there: fieldline-site status',
    '{site} {state}，{last}；请在站点查看：fieldline-site status',
  ),
  neverHeard: sentences('never heard', '从未联系'),
  lastHeard: sentences('last heard {at}', '上次联系 {at}'),
  fileExists: sentences('{file} is there already; name a new file', '{file} 已存在，请换一个文件名'),
  noFolder: sentences('there is no folder {folder}', '没有目录 {folder}'),
  bundled: sentences(
    [
      '{file} holds {count} files for support: sites, alarms, audit, conflicts, journal. No ',
      'secret, no event and no picture is in it.',
    ],
    '{file} 中有 {count} 个供技术支持使用的文件：站点、告警、审计、冲突和系统日志。其中没有密钥、事件和图片。',
  ),
  alarm: sentences('{instance} {key}: {message}', '{instance} {key}：{message}'),
  moreAlarms: sentences(
    '{count} more stand: fieldline-hq alarms list',
    '另有 {count} 条告警：fieldline-hq alarms list',
  ),
  notWell_look: sentences(
    '{site} says of itself that a person should look at it; look there: fieldline-site status',
    '{site} 自报需要查看；请在站点查看：fieldline-site status',
  ),
  notWell_bad: sentences(
    '{site} says of itself that something is wrong; look there: fieldline-site status',
    '{site} 自报有故障；请在站点查看：fieldline-site status',
  ),
  parked: sentences(
    [
      '{site}: {count} of its {what} were refused here and are parked there; look there: ',
      'fieldline-site parked list',
    ],
    '{site}：有 {count} 项{what}被总部拒收，已搁置；请在站点查看：fieldline-site parked list',
  ),
  endKinds_hang: sentences('it hung', '停滞无响应'),
  endKinds_memory: sentences('it took too much memory', '内存超限'),
  endKinds_failed: sentences('by an error of its own', '因自身错误退出'),
  endKinds_power: sentences('the machine went down', '随机器断电或重启'),
  endKinds_killed: sentences('it was killed', '被强制结束'),
  backup: sentences('The last backup was made {at}', '最近一次备份：{at}'),
  noBackup: sentences('No backup was made by this hub', '此总部程序没有备份过'),
  ends: sentences(
    '{count} unplanned {count|end|ends} of the program in {days} days{hangs}; the last {at}{kind}',
    '程序 {days} 天内非正常结束 {count} 次{hangs}；最近一次 {at}{kind}',
  ),
  ends_hangs: sentences(', {count} by hanging', '，其中停滞 {count} 次'),
  ends_kind: sentences(', {kind}', '，{kind}'),
  stalls: sentences(
    [
      'The program did not run {count} {count|time|times} in {days} days, at most for {longest} s; ',
      'the last until {at}',
    ],
    '程序 {days} 天内停顿 {count} 次，最长 {longest} 秒；最近一次 {at} 恢复',
  ),
};

export type HealthMessages = Say<typeof healthMessages>;
