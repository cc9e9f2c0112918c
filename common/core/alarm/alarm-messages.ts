import { sentences } from '../../message.ts';
import { leftOutMessages } from '../left-out/left-out-messages.ts';
import { modelCallMessages } from '../model-call/model-call-messages.ts';

/** Alarms of the core, at a site and at headquarters alike. */
export const coreAlarmMessages = {
  ...leftOutMessages,
  ...modelCallMessages,
  loop_failing: sentences(
    [
      'The background work "{work}" has failed for {minutes} {minutes|minute|minutes}, {failures} times in ',
      'a row; what it does is not done. The last time: {error}. It tries on, and this clears itself; ',
      'the log has more.',
    ],
    [
      '后台任务“{work}”已连续失败 {failures} 次，持续 {minutes} 分钟，其工作没有完成。',
      '最近一次：{error}。程序会继续重试，恢复后自动清除；详情见日志。',
    ],
  ),
  backup_old: sentences(
    [
      'The last backup was made {days} {days|day|days} ago ({at}); one is wanted every {limit} ',
      '{limit|day|days}. Make one with the command backup, and see to what should have made it. ',
      'This clears itself with the next one; CORE_BACKUP_ALARM_DAYS sets the days, 0 turns it off.',
    ],
    [
      '最近一次备份是 {days} 天前（{at}），应每 {limit} 天备份一次。请用 backup 命令备份，',
      '并检查原定的备份为何没有进行；再次备份后自动清除。天数由 CORE_BACKUP_ALARM_DAYS 设定，0 为不提醒。',
    ],
  ),
  ends_repeat: sentences(
    [
      'The program ended {count} times within {hours} {hours|hour|hours} without having been stopped; ',
      'the last time {how}. The service starts it again each time. Look at: logs --level warn; ',
      'this clears itself when it has not happened again.',
    ],
    [
      '程序在 {hours} 小时内非正常结束 {count} 次，最近一次{how}。服务每次都会自动重新启动它。',
      '请查看 logs --level warn；不再发生后自动清除。',
    ],
  ),
  ended_hang: sentences('it hung', '停滞无响应'),
  ended_memory: sentences('it took too much memory', '内存超限'),
  ended_failed: sentences('by an error of its own', '因自身错误退出'),
  ended_power: sentences('the machine went down with it', '随机器断电或重启'),
  ended_killed: sentences('it was killed', '被强制结束'),
  program_stalled: sentences(
    [
      'The program did not run for {seconds} {seconds|second|seconds}, until {until}: {how}. Who called ',
      'it meanwhile had no answer, and nothing that it does was done; it has gone on by itself.{again} ',
      'Look at: logs --level warn; this clears itself after a day without another.',
    ],
    [
      '程序停顿了 {seconds} 秒，{until} 才恢复：{how}。停顿期间的请求没有应答，各项工作没有进行；现已自行恢复。{again}',
      '请查看 logs --level warn；一天内不再发生则自动清除。',
    ],
  ),
  stalled_computing: sentences('it was computing all the while', '一直在运算'),
  stalled_waiting: sentences(
    'it was stopped, or waited for the disk or the machine',
    '进程被暂停，或在等待磁盘或机器',
  ),
  stalled_again: sentences(
    ' This has happened {count} times within {hours} {hours|hour|hours}.',
    '{hours} 小时内已发生 {count} 次。',
  ),
  connections_full: sentences(
    [
      'More connections were asked for than there are: {refused} {refused|was|were} refused and {evicted} ',
      'that did nothing {evicted|was|were} closed to make room for others. Look for a device or program ',
      'that opens connections without end; this clears itself after ten minutes without any.',
    ],
    [
      '连接数已满：拒绝了 {refused} 个连接，并关闭了 {evicted} 个没有请求的连接以让出位置。',
      '请查找不断建立连接的设备或程序；十分钟内不再发生后自动清除。',
    ],
  ),
  retention_guard: sentences(
    [
      'Retention would delete {expired} of {total} {kind} at once and has stopped. Check the clock of ',
      'this machine ',
      'and the configured days; if it is right, confirm with POST /api/core/retention/confirm.',
    ],
    [
      '到期删除已停止：一次将删除 {total} 条{kind}中的 {expired} 条。请检查本机时钟和保留天数；',
      '确认无误后用 POST /api/core/retention/confirm 确认。',
    ],
  ),
  guarded_events: sentences('events', '事件'),
  guarded_audit: sentences('audit entries', '审计记录'),
  consumer_passed: sentences(
    'The consumer {consumer} has lost {events} events{where}: they {why} before it had confirmed them.',
    '消费者 {consumer} 失去 {events} 个事件{where}：在它确认之前，这些事件{why}。',
  ),
  rules_passed: sentences(
    [
      'The response rules never ran on {events} events{where}: they {why} before the agent came to them, ',
      'so that no task was made and nobody was notified. Headquarters has those that were sent: ',
      'look at them there and make what tasks they need by hand.',
    ],
    [
      '响应规则未能处理 {events} 个事件{where}：处置代理处理之前，这些事件{why}，没有生成任务，也没有通知任何人。',
      '已上传的事件在总部：请在总部查看，并人工补建所需的任务。',
    ],
  ),
  became_old: sentences('became too old', '已到期删除'),
  disk_was_short: sentences('were deleted since the disk was short', '因空间不足已被删除'),
  with_id: sentences(' (id {id})', '（编号 {id}）'),
  with_ids: sentences(' (ids from {from} to {to})', '（编号 {from} 至 {to}）'),
  last_with_id: sentences(' (the last {more} with id {id})', '（最后 {more} 个的编号为 {id}）'),
  last_with_ids: sentences(
    ' (the last {more} with ids from {from} to {to})',
    '（最后 {more} 个的编号为 {from} 至 {to}）',
  ),
  evidence_damaged: sentences(
    [
      'An evidence file of the event {event} has other bytes on the disk than were received: it is damaged. ',
      '{files} {files|file was|files were} found so since the start; they are neither shown nor sent. ',
      'Look at the disk. Put back a file from a copy of evidence/ in the data directory ({path}), or have ',
      'the camera send it again; then clear this alarm.',
    ],
    [
      '事件 {event} 的证据文件在磁盘上的内容与收到时不同，已损坏。',
      '自启动以来共发现 {files} 个这样的文件，均不再提供或上传。',
      '请检查磁盘；可从数据目录下 evidence/ 的副本恢复该文件（{path}），或让摄像机重新发送，然后清除本告警。',
    ],
  ),
  evidence_folder_away: sentences(
    [
      'The folder of the evidence files is not the one that they were stored in: is its disk mounted? ',
      'Pictures are refused with 503, wait where they are and are not shown until it is there again. ',
      'If they are lost for good, delete evidence.mark in the data directory and start again.',
    ],
    [
      '证据文件夹不是原来存放证据的那个：其磁盘是否已挂载？在恢复之前，图片以 503 拒收，留在原处等待，也无法查看。',
      '若原文件已彻底丢失，请删除数据目录下的 evidence.mark 并重新启动。',
    ],
  ),
  evidence_folder_unreadable: sentences(
    [
      'The folder of the evidence files cannot be read: look at its disk and at who may read it. Pictures ',
      'are refused with 503 and wait where they are. The files may still be there; delete nothing.',
    ],
    '证据文件夹无法读取：请检查其磁盘和权限。图片以 503 拒收，留在原处等待。文件可能仍在，请勿删除任何内容。',
  ),
  evidence_orphans: sentences(
    [
      '{orphans} of {files} evidence files belong to no event of this store, ',
      'which was lost, damaged or replaced. ',
      'They are left under evidence/ in the data directory: move away or delete them there.',
    ],
    [
      '{files} 个证据文件中有 {orphans} 个在数据库中没有对应事件（数据库曾丢失、损坏或更换）。',
      '文件保留在数据目录的 evidence/ 下，请自行移走或删除。',
    ],
  ),
  secrets_unreadable: sentences(
    [
      'Secrets cannot be opened: {what}. Who signs with these keys is answered 503 until they can be, ',
      'and nothing is sent that would have to be signed with them. {remedy}',
    ],
    '无法读取以下密钥：{what}。恢复之前，使用这些密钥签名的请求一律回答 503，须用它们签名的内容也不会发出。{remedy}',
  ),
  unreadable_keys: sentences('{count} {count|key|keys} ({names})', '{count} 个签名密钥（{names}）'),
  unreadable_devices: sentences(
    'the {count|password|passwords} of {count} {count|device|devices} ({names})',
    '{count} 台设备的口令（{names}）',
  ),
  unreadable_names: sentences(
    '{count} named {count|secret|secrets} ({names})',
    '{count} 个命名密钥（{names}）',
  ),
  unreadable_channels: sentences(
    '{count} notification {count|channel|channels} ({names})',
    '{count} 个通知通道（{names}）',
  ),
  unreadable_consumers: sentences(
    'the push {count|secret|secrets} of {count} {count|consumer|consumers} ({names})',
    '{count} 个消费者的推送密钥（{names}）',
  ),
  secrets_remedy_site: sentences(
    [
      'Put the folder secrets/ of the data directory back from a backup and restart the site; where there ',
      'is none, give new ones: fieldline-site node rotate KEY for a camera, and for the others the call by ',
      'which they were given.',
    ],
    [
      '请从备份恢复数据目录下的 secrets/ 文件夹并重启站点；没有备份时重新发放：',
      '摄像机用 fieldline-site node rotate 密钥编号，其余按原来的方式重新设置。',
    ],
  ),
  secrets_remedy_hub: sentences(
    [
      'Their rows are damaged, or were sealed under another master key. Restore a backup, or give new ones ',
      'by the call by which they were given.',
    ],
    '相应的数据行已损坏，或由另一个主密钥加密。请恢复备份，或按原来的方式重新设置。',
  ),
  evidence_room: sentences(
    [
      'Evidence takes {percent} % of its {limit} bytes (CORE_EVIDENCE_LIMIT); when it is full, pictures ',
      'are ',
      'refused and wait at the cameras and sites. Raise it, or keep events for fewer days.',
    ],
    [
      '证据文件已用 {limit} 字节上限的 {percent}%（CORE_EVIDENCE_LIMIT）；用满后新图片将被拒收，留在摄像机和站点等待。',
      '请调大上限，或缩短事件保留天数。',
    ],
  ),
  evidence_room_tenant: sentences(
    [
      'The evidence of {tenant} takes {percent} % of its share of {limit} bytes; when that is full, its ',
      'pictures are refused, and those of others are not ',
      '(CORE_EVIDENCE_LIMIT, CORE_EVIDENCE_TENANT_PERCENT).',
    ],
    [
      '租户 {tenant} 的证据文件已用其份额 {limit} 字节的 {percent}%；用满后只拒收该租户的图片，其他租户不受影响',
      '（CORE_EVIDENCE_LIMIT、CORE_EVIDENCE_TENANT_PERCENT）。',
    ],
  ),
  evidence_room_site: sentences(
    [
      'The evidence of {tenant} from the site {site} takes {percent} % of its share of {limit} bytes; when ',
      'that is full, pictures of this site wait there (CORE_EVIDENCE_SITE_PERCENT).',
    ],
    [
      '租户 {tenant} 来自站点 {site} 的证据文件已用其份额 {limit} 字节的 {percent}%；用满后该站点的图片留在站点等待',
      '（CORE_EVIDENCE_SITE_PERCENT）。',
    ],
  ),
  push_failing: sentences(
    'Pushes to {consumer} have failed {failures} times in a row; they are tried again. {error}',
    '向消费者 {consumer} 的推送已连续失败 {failures} 次，仍在重试。{error}',
  ),
  push_missed: sentences(
    'Events {from} to {to} were no longer kept when they were to be pushed to {consumer}.',
    '事件 {from} 至 {to} 在推送给消费者 {consumer} 之前已被删除，没有推送。',
  ),
};
