import type { Language } from '../../common/message.ts';

const en = {
  names: {
    service: 'service',
    data: 'data',
    secrets: 'secrets',
    owner: 'owner',
    disk: 'disk',
    clock: 'clock',
    store: 'store',
    headquarters: 'headquarters',
    key: 'key',
    dns: 'dns',
    parked: 'parked',
    cameras: 'cameras',
    status: 'status',
  },
  marks: { good: 'ok  ', look: 'LOOK', bad: 'BAD ' },
  alarm: 'alarm',
  statusToo: 'needs a look for more than what stands here; see: fieldline-site status',
  runs: (version: string, span: string) => `runs, version ${version}, for ${span}`,
  silent: 'does not answer on its local socket; see: systemctl status fieldline-site, fieldline-site logs',
  hung:
    'is there and does not answer in time: it hangs, or is overwhelmed; systemd restarts one that hangs ' +
    'within two minutes, by hand: systemctl restart fieldline-site',
  noFolder: (dir: string) => `there is no folder ${dir}; it is made at the first start, or set CORE_DATA_DIR`,
  writable: (dir: string) => `${dir} can be written`,
  notWritable: (dir: string) =>
    `${dir} cannot be written by this user; run this as the service's user or as root`,
  open: (secrets: string) => `others can read ${secrets}; run: chmod 700 ${secrets}`,
  noSecrets: (folder: string) =>
    `${folder} is gone, and with it the keys of the cameras; put it back from a backup`,
  closed: 'readable by their owner only',
  strange: (names: string, dir: string) =>
    `${names} belong to another user than ${dir}; run: chown -R --reference=${dir} ${dir}`,
  notLooked: 'not checked',
  free: (free: string, total: string, limit: string | null) =>
    `${free} of ${total} free${limit === null ? '' : `, limit ${limit}`}`,
  shortDisk: (left: string, used: string, uplinked: boolean) =>
    `short of room: ${left} left, ${used} used; ` +
    (uplinked
      ? 'what headquarters has is deleted here, and pictures that it does not have are sent to it first'
      : 'nothing is deleted without headquarters: set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk'),
  fullDisk: (used: string, uplinked: boolean) =>
    `full at ${used}: events are refused; ` +
    (uplinked
      ? 'make room or bring back the link to headquarters, whose copies let it delete here'
      : 'make room, set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk'),
  littleRoom: '; make room, or set CORE_RETENTION_EVENTS_DAYS',
  clockBad: (now: string) =>
    `${now} cannot be right; set it: timedatectl set-time, or check the time service`,
  synchronized: ', synchronized',
  clockStepped: (now: string, by: string, at: string) => `${now}; it was set by ${by} at ${at}`,
  diskFull: 'takes no events: the disk is full',
  noWrite: 'takes no write; see: fieldline-site logs',
  storeGood: 'every row could be read',
  storeChecking: 'is being read through',
  storeUnchecked: 'takes writes; not read through yet',
  storeDamaged: (fault: string) => `is damaged: ${fault}; restart the service, it saves what it can`,
  noStore: 'there is none yet; it is made at the first start',
  sqliteGood: 'SQLite finds no fault',
  sqliteFault: (fault: string) => `${fault}; the next start sets the store aside and saves what it can`,
  unreadable: (fault: string) =>
    `cannot be read (${fault}); the next start sets a damaged store aside and saves what it can`,
  noHub: 'none is configured; set it up with: fieldline-site setup',
  connected: 'the running site is connected',
  notAnsweredYet: 'the running site had no answer yet; look again in a minute',
  notUsedYet:
    'the configuration names it, and the running site does not use that yet: ' +
    'systemctl restart fieldline-site',
  noKey: (fault: string) => `${fault}; run fieldline-site setup, as root where the key is a credential`,
  noName: (host: string, code: string) =>
    `${host} cannot be resolved (${code}); check the network and /etc/resolv.conf`,
  hubGood: (url: string) => `${url} answers and knows this site`,
  parked: (count: number) =>
    `${count} ${count === 1 ? 'item' : 'items'} that headquarters refused; see: fieldline-site parked list`,
  camerasSilent: (names: string) => `silent: ${names}; check their power and network`,
};

const zh: typeof en = {
  names: {
    service: '服务',
    data: '数据目录',
    secrets: '密钥文件',
    owner: '属主',
    disk: '磁盘',
    clock: '时钟',
    store: '数据库',
    headquarters: '总部',
    key: '密钥',
    dns: '域名解析',
    parked: '搁置',
    cameras: '摄像机',
    status: '状态',
  },
  marks: { good: '正常', look: '查看', bad: '故障' },
  alarm: '告警',
  statusToo: '还有此处未列出的情况需要查看：fieldline-site status',
  runs: (version, span) => `运行中，版本 ${version}，已运行 ${span}`,
  silent: '本地套接字没有应答；请看：systemctl status fieldline-site，fieldline-site logs',
  hung: '服务存在，但没有及时应答：程序停滞或过载；停滞时 systemd 会在两分钟内自动重启，手动重启：systemctl restart fieldline-site',
  noFolder: (dir) => `没有目录 ${dir}；首次启动时建立，或设置 CORE_DATA_DIR`,
  writable: (dir) => `${dir} 可写`,
  notWritable: (dir) => `当前用户不能写 ${dir}；请以服务用户或 root 运行`,
  open: (secrets) => `他人可读 ${secrets}；请执行：chmod 700 ${secrets}`,
  noSecrets: (folder) => `${folder} 不存在，摄像机的密钥随之丢失；请从备份恢复`,
  closed: '只有属主可读',
  strange: (names, dir) => `${names} 与 ${dir} 的属主不同；请执行：chown -R --reference=${dir} ${dir}`,
  notLooked: '未检查',
  free: (free, total, limit) => `剩余 ${free}，共 ${total}${limit === null ? '' : `，上限 ${limit}`}`,
  shortDisk: (left, used, uplinked) =>
    `空间不足：剩余 ${left}，已用 ` +
    `${used}；${uplinked ? '删除总部已有的数据，总部没有的图片先行上传' : '未配置总部，不会自动删除：请设置 CORE_RETENTION_EVENTS_DAYS，或更换更大的磁盘'}`,
  fullDisk: (used, uplinked) =>
    `已满，已用 ${used}：拒绝新事件；` +
    (uplinked
      ? '请释放空间，或恢复总部链路（总部已有的数据会自动删除）'
      : '请释放空间、设置 CORE_RETENTION_EVENTS_DAYS，或更换更大的磁盘'),
  littleRoom: '；请释放空间，或设置 CORE_RETENTION_EVENTS_DAYS',
  clockBad: (now) => `${now} 不可信；请校时：timedatectl set-time，或检查时间服务`,
  synchronized: '，已同步',
  clockStepped: (now, by, at) => `${now}；在 ${at} 被调整 ${by}`,
  diskFull: '不接收事件：磁盘已满',
  noWrite: '不能写入；请看：fieldline-site logs',
  storeGood: '全部可读',
  storeChecking: '正在检查',
  storeUnchecked: '可写入；尚未检查',
  storeDamaged: (fault) => `已损坏：${fault}；请重启服务，它会保存可读部分`,
  noStore: '还没有；首次启动时建立',
  sqliteGood: 'SQLite 没有发现错误',
  sqliteFault: (fault) => `${fault}；下次启动时另存数据库并恢复可读部分`,
  unreadable: (fault) => `不能读取（${fault}）；下次启动时另存损坏的数据库并恢复可读部分`,
  noHub: '未配置；用 fieldline-site setup 配置',
  connected: '运行中的站点已连接总部',
  notAnsweredYet: '运行中的站点尚未得到应答，请稍后再查看',
  notUsedYet: '配置中已有总部，但运行中的站点尚未使用：systemctl restart fieldline-site',
  noKey: (fault) => `${fault}；请运行 fieldline-site setup，密钥为凭据时以 root 运行`,
  noName: (host, code) => `${host} 无法解析（${code}）；请检查网络和 /etc/resolv.conf`,
  hubGood: (url) => `${url} 有应答，并已登记本站`,
  parked: (count) => `总部拒收 ${count} 条；请看：fieldline-site parked list`,
  camerasSilent: (names) => `静默：${names}；请检查供电和网络`,
};

export type CheckMessages = typeof en;
export const checkMessages: Record<Language, CheckMessages> = { en, zh };
