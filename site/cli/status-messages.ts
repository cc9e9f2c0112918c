import type { Language } from '../../common/message.ts';

/** One thing, or many of them. */
const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

const en = {
  notRunning: 'NOT RUNNING', start: 'start it with: systemctl start fieldline-site; what went wrong: journalctl -u fieldline-site -n 50',
  hung: 'DOES NOT ANSWER', restart: 'the service restarts one that hangs within two minutes; by hand: systemctl restart fieldline-site',
  well: 'ALL IS WELL', look: 'TAKE A LOOK', bad: 'SOMETHING IS WRONG', site: 'site', version: 'version', up: 'running for', storing: 'storing',
  yes: 'yes', diskFull: 'NO: the disk is full, events are refused', failed: 'NO: the store takes no write; see: journalctl -u fieldline-site -n 50',
  kept: (count: number, dir: string) => `${many(count, 'event')} kept in ${dir}`, link: 'headquarters', linkUp: 'connected', linkDown: 'CUT OFF',
  linkNever: 'NEVER REACHED', linkUntried: 'not tried yet', noHub: 'no headquarters is configured; give one with: fieldline-site setup', heard: 'last answer', ago: ' ago', neverHeard: 'it has never answered',
  nextTry: (after: string) => `next try in ${after}`, events: 'events', verdicts: 'verdicts', waiting: ' waiting', oldest: 'the oldest for', sent: ' sent', parked: 'parked', backlog: 'backlog', parkedItems: 'parked', seeParked: 'see: fieldline-site parked list',
  disk: 'disk', left: 'left', used: 'used', refused: (count: number) => `${many(count, 'request')} refused`, shed: 'deleted for want of room, headquarters has them', evidence: (count: number) => many(count, 'evidence file'),
  observations: (count: number) => many(count, 'observation'), shedEvents: (count: number) => many(count, 'event'),
  wear: 'wear', perDay: (bytes: string) => `${bytes} written a day`, perEvent: (bytes: string, syncs: string) => `${bytes} and ${syncs} ${syncs === '1' ? 'sync' : 'syncs'} per event`, fewEvents: (count: number) => `${many(count, 'event')} since start, too few for a figure`,
  life: (disk: string, percent: number) => `${disk}: ${percent} % of its life used`, endOfLife: 'SPARE BLOCKS RUN OUT: replace the card', noEvents: 'no event since start', clock: 'clock', clockGood: 'good', synchronized: 'synchronized',
  clockBad: 'NOT TO BE TRUSTED: set it, or check the time service', lastSet: 'last set', data: 'data', good: 'every row could be read', checking: 'being read', unchecked: 'not read through yet',
  damaged: 'DAMAGED: restart the service, it saves what can be read', cameras: 'cameras', allHeard: 'all heard', noneSilent: 'none silent',
  none: 'none registered; add one with: fieldline-site node add', silent: 'silent', silentFor: 'silent for', never: 'never heard', alarms: 'alarms', noAlarms: 'none', since: 'for', set: 'set aside',
  s: ' s', m: ' min', h: ' h', d: ' days', comma: ', ', semicolon: '; ', colon: ': ',
};
const zh: typeof en = {
  notRunning: '未运行', start: '启动：systemctl start fieldline-site；查看原因：journalctl -u fieldline-site -n 50',
  hung: '没有应答', restart: '程序停滞时服务会在两分钟内自动重启；手动重启：systemctl restart fieldline-site',
  well: '运行正常', look: '需要查看', bad: '有故障', site: '站点', version: '版本', up: '已运行', storing: '存储',
  yes: '正常', diskFull: '否：磁盘已满，拒绝新事件', failed: '否：无法写入，请查看：journalctl -u fieldline-site -n 50',
  kept: (count, dir) => `${count} 个事件，位于 ${dir}`, link: '总部', linkUp: '已连接', linkDown: '已断开',
  linkNever: '从未连通', linkUntried: '尚未尝试', noHub: '未配置总部；用 fieldline-site setup 配置', heard: '上次应答', ago: '前', neverHeard: '从未应答',
  nextTry: (after) => `${after}后再试`, events: '事件', verdicts: '研判', waiting: ' 条待上传', oldest: '最早已等', sent: ' 条已上传', parked: '搁置', backlog: '积压', parkedItems: '条搁置', seeParked: '查看：fieldline-site parked list',
  disk: '磁盘', left: '剩余', used: '已用', refused: (count) => `${count} 个请求被拒绝`, shed: '因空间不足已删除（总部已有）', evidence: (count) => `${count} 个证据文件`,
  observations: (count) => `${count} 条观察`, shedEvents: (count) => `${count} 个事件`,
  wear: '磨损', perDay: (bytes) => `每天写入 ${bytes}`, perEvent: (bytes, syncs) => `每事件 ${bytes}、${syncs} 次同步`, fewEvents: (count) => `启动后 ${count} 个事件，不足以统计`,
  life: (disk, percent) => `${disk} 寿命已用 ${percent} %`, endOfLife: '备用块即将耗尽，请更换存储卡', noEvents: '启动后尚无事件', clock: '时钟', clockGood: '正常', synchronized: '已同步',
  clockBad: '不可信：请校时或检查时间服务', lastSet: '上次调整', data: '数据', good: '全部可读', checking: '检查中', unchecked: '尚未检查',
  damaged: '已损坏：请重启服务，它会保存可读部分', cameras: '摄像机', allHeard: '全部有数据', noneSilent: '无静默',
  none: '未登记；用 fieldline-site node add 登记', silent: '静默', silentFor: '静默', never: '从无数据', alarms: '告警', noAlarms: '无', since: '已', set: '另存',
  s: ' 秒', m: ' 分钟', h: ' 小时', d: ' 天', comma: '，', semicolon: '；', colon: '：',
};
export type StatusMessages = typeof en;
export const statusMessages: Record<Language, StatusMessages> = { en, zh };
