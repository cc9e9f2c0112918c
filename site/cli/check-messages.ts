import { type Say, sentences } from '../../common/message.ts';
import { diskRefusal } from '../../common/program-messages.ts';

export const checkMessages = {
  ...diskRefusal,
  names_service: sentences('service', '服务'),
  names_data: sentences('data', '数据目录'),
  names_secrets: sentences('secrets', '密钥文件'),
  names_owner: sentences('owner', '属主'),
  names_disk: sentences('disk', '磁盘'),
  names_clock: sentences('clock', '时钟'),
  names_store: sentences('store', '数据库'),
  names_headquarters: sentences('headquarters', '总部'),
  names_key: sentences('key', '密钥'),
  names_dns: sentences('dns', '域名解析'),
  names_parked: sentences('parked', '搁置'),
  names_cameras: sentences('cameras', '摄像机'),
  names_status: sentences('status', '状态'),
  marks_good: sentences('ok  ', '正常'),
  marks_look: sentences('LOOK', '查看'),
  marks_bad: sentences('BAD ', '故障'),
  alarm: sentences('alarm', '告警'),
  statusToo: sentences(
    'needs a look for more than what stands here; see: fieldline-site status',
    '还有此处未列出的情况需要查看：fieldline-site status',
  ),
  runs: sentences('runs, version {version}, for {span}', '运行中，版本 {version}，已运行 {span}'),
  silent: sentences(
    'does not answer on its local socket; see: systemctl status fieldline-site, fieldline-site logs',
    '本地套接字没有应答；请看：systemctl status fieldline-site，fieldline-site logs',
  ),
  hung: sentences(
    [
      'is there and does not answer in time: it hangs, or is overwhelmed; systemd restarts one ',
      'that hangs within two minutes, by hand: systemctl restart fieldline-site',
    ],
    '服务存在，但没有及时应答：程序停滞或过载；停滞时 systemd 会在两分钟内自动重启，手动重启：systemctl restart fieldline-site',
  ),
  noFolder: sentences(
    'there is no folder {dir}; it is made at the first start, or set CORE_DATA_DIR',
    '没有目录 {dir}；首次启动时建立，或设置 CORE_DATA_DIR',
  ),
  writable: sentences('{dir} can be written', '{dir} 可写'),
  notWritable: sentences(
    "{dir} cannot be written by this user; run this as the service's user or as root",
    '当前用户不能写 {dir}；请以服务用户或 root 运行',
  ),
  open: sentences(
    'others can read {secrets}; run: chmod 700 {secrets}',
    '他人可读 {secrets}；请执行：chmod 700 {secrets}',
  ),
  noSecrets: sentences(
    '{folder} is gone, and with it the keys of the cameras; put it back from a backup',
    '{folder} 不存在，摄像机的密钥随之丢失；请从备份恢复',
  ),
  closed: sentences('readable by their owner only', '只有属主可读'),
  strange: sentences(
    '{names} belong to another user than {dir}; run: chown -R --reference={dir} {dir}',
    '{names} 与 {dir} 的属主不同；请执行：chown -R --reference={dir} {dir}',
  ),
  notLooked: sentences('not checked', '未检查'),
  free: sentences('{free} of {total} free', '剩余 {free}，共 {total}'),
  limit: sentences(', limit {limit}', '，上限 {limit}'),
  shortDisk: sentences(
    'short of room: {left} left, {used} used; {then}',
    '空间不足：剩余 {left}，已用 {used}；{then}',
  ),
  short_uplinked: sentences(
    'what headquarters has is deleted here, and pictures that it does not have are sent to it first',
    '删除总部已有的数据，总部没有的图片先行上传',
  ),
  short_alone: sentences(
    'nothing is deleted without headquarters: set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk',
    '未配置总部，不会自动删除：请设置 CORE_RETENTION_EVENTS_DAYS，或更换更大的磁盘',
  ),
  fullDisk: sentences('full at {used}: events are refused; {then}', '已满，已用 {used}：拒绝新事件；{then}'),
  full_uplinked: sentences(
    'make room or bring back the link to headquarters, whose copies let it delete here',
    '请释放空间，或恢复总部链路（总部已有的数据会自动删除）',
  ),
  full_alone: sentences(
    'make room, set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk',
    '请释放空间、设置 CORE_RETENTION_EVENTS_DAYS，或更换更大的磁盘',
  ),
  littleRoom: sentences(
    '; make room, or set CORE_RETENTION_EVENTS_DAYS',
    '；请释放空间，或设置 CORE_RETENTION_EVENTS_DAYS',
  ),
  clockBad: sentences(
    '{now} cannot be right; set it: timedatectl set-time, or check the time service',
    '{now} 不可信；请校时：timedatectl set-time，或检查时间服务',
  ),
  synchronized: sentences(', synchronized', '，已同步'),
  clockStepped: sentences('{now}; it was set by {by} at {at}', '{now}；在 {at} 被调整 {by}'),
  diskFull: sentences('takes no events: the disk is full', '不接收事件：磁盘已满'),
  noWrite: sentences('takes no write; see: fieldline-site logs', '不能写入；请看：fieldline-site logs'),
  storeGood: sentences('every row could be read', '全部可读'),
  storeChecking: sentences('is being read through', '正在检查'),
  storeUnchecked: sentences('takes writes; not read through yet', '可写入；尚未检查'),
  storeDamaged: sentences(
    'is damaged: {fault}; restart the service, it saves what it can',
    '已损坏：{fault}；请重启服务，它会保存可读部分',
  ),
  noStore: sentences('there is none yet; it is made at the first start', '还没有；首次启动时建立'),
  sqliteGood: sentences('SQLite finds no fault', 'SQLite 没有发现错误'),
  sqliteFault: sentences(
    '{fault}; the next start sets the store aside and saves what it can',
    '{fault}；下次启动时另存数据库并恢复可读部分',
  ),
  storeGone: sentences(
    [
      '{file} is empty or missing, and there was a store: the next start begins a new one. Put it back ',
      'first where you can: fieldline-site restore FILE',
    ],
    '{file} 为空或不存在，而此前有数据库：下次启动会新建一个。如有备份请先恢复：fieldline-site restore 文件',
  ),
  notAFile: sentences(
    '{entry} must be a file and is none; move it away',
    '{entry} 应是文件，实际不是；请移走',
  ),
  notAFolder: sentences(
    '{entry} must be a folder and is none; move it away, put the folder back',
    '{entry} 应是文件夹，实际不是；请移走，并放回原来的文件夹',
  ),
  noHub: sentences(
    'none is configured; set it up with: fieldline-site setup',
    '未配置；用 fieldline-site setup 配置',
  ),
  connected: sentences('the running site is connected', '运行中的站点已连接总部'),
  notAnsweredYet: sentences(
    'the running site had no answer yet; look again in a minute',
    '运行中的站点尚未得到应答，请稍后再查看',
  ),
  notUsedYet: sentences(
    [
      'the configuration names it, and the running site does not use that yet: systemctl restart ',
      'fieldline-site',
    ],
    '配置中已有总部，但运行中的站点尚未使用：systemctl restart fieldline-site',
  ),
  noKey: sentences(
    '{fault}; run fieldline-site setup, as root where the key is a credential',
    '{fault}；请运行 fieldline-site setup，密钥为凭据时以 root 运行',
  ),
  noName: sentences(
    '{host} cannot be resolved ({code}); check the network and /etc/resolv.conf',
    '{host} 无法解析（{code}）；请检查网络和 /etc/resolv.conf',
  ),
  hubGood: sentences('{url} answers and knows this site', '{url} 有应答，并已登记本站'),
  parked: sentences(
    '{count} {count|item|items} that headquarters refused; see: fieldline-site parked list',
    '总部拒收 {count} 条；请看：fieldline-site parked list',
  ),
  camerasSilent: sentences(
    'silent: {names}; check their power and network',
    '静默：{names}；请检查供电和网络',
  ),
};

export type CheckMessages = Say<typeof checkMessages>;
