import { sentences } from '../../common/message.ts';

/** Alarms about the machine that a site runs on: its disk, its clock, its store. */
export const machineAlarmMessages = {
  disk_short: sentences(
    'The disk is short of space: {room} left, {used} used. {relief}',
    '磁盘空间不足：剩余 {room}，已用 {used}。{relief}',
  ),
  disk_full: sentences(
    'The disk is full: new events are refused and cameras must keep them. {relief}',
    '磁盘已满：新事件被拒绝，摄像机须自行保留。{relief}',
  ),
  disk_full_guarded: sentences(
    [
      'The disk is full: new events are refused and cameras must keep them. Half of what was kept has been ',
      'deleted already; something else may fill the disk. If more may be deleted: ',
      'fieldline-site disk confirm --by NAME. {relief}',
    ],
    [
      '磁盘已满：新事件被拒绝，摄像机须自行保留。已删除一半数据，磁盘可能被其他程序占用。',
      '确认可继续删除后执行 fieldline-site disk confirm --by 姓名。{relief}',
    ],
  ),
  relief_with_hub: sentences(
    [
      'What headquarters holds is deleted here by itself, and pictures that it does not hold are sent to it ',
      'and at last deleted; before it comes to that, ',
      'bring back the link to it, make room, or give it a larger disk.',
    ],
    '总部已有的数据会自动删除，总部没有的图片会先上传，最后才删除。为避免丢失，请恢复总部链路、释放空间，或更换更大的磁盘。',
  ),
  relief_without_hub: sentences(
    [
      'Without headquarters nothing is deleted here: ',
      'set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk.',
    ],
    '未配置总部，不会自动删除：请设置 CORE_RETENTION_EVENTS_DAYS，或更换更大的磁盘。',
  ),
  disk_sweep_guard: sentences(
    [
      'Half of what was kept has been deleted for want of space, and the disk is still short; something ',
      'else may fill ',
      'the disk. If more may be deleted: fieldline-site disk confirm --by NAME.',
    ],
    '因空间不足已删除一半数据，空间仍不足，已停止删除；磁盘可能被其他程序占用。确认无误后执行 fieldline-site disk confirm --by 姓名。',
  ),
  disk_shed: sentences(
    [
      'For want of space, this site has deleted in all, and headquarters holds it: {deleted}. ',
      'When you have seen it: fieldline-site alarms clear disk_shed --by NAME.',
    ],
    '因空间不足，本站累计删除以下数据，总部均有保存：{deleted}。知悉后执行 fieldline-site alarms clear disk_shed --by 姓名。',
  ),
  evidence_lost: sentences(
    [
      '{count} {count|picture or clip|pictures and clips} of events {count|is|are} lost: deleted here for ',
      'want of space before headquarters had {count|it|them}, the least severe and oldest first. Give this ',
      'site a larger disk or a better link, or have files sent from the beginning (CORE_UPLINK_EVIDENCE). ',
      'When you have seen it: fieldline-site alarms clear evidence_lost --by NAME.',
    ],
    [
      '{count} 个事件图片或录像已丢失：因空间不足，在总部收到之前已从本站删除（级别最低、时间最早的先删）。',
      '请更换更大的磁盘、改善链路，或设置 CORE_UPLINK_EVIDENCE 让文件及时上传。',
      '知悉后执行 fieldline-site alarms clear evidence_lost --by 姓名。',
    ],
  ),
  shed_evidence: sentences('{count} evidence {count|file|files}', '{count} 个证据文件'),
  shed_observations: sentences('{count} {count|observation|observations}', '{count} 条观察'),
  shed_events: sentences('{count} {count|event|events}', '{count} 个事件'),
  disk_fault: sentences(
    [
      'The disk failed for a moment ({reason}) and worked again; nothing was lost. ',
      'It may fail for good: make a backup, and replace it if this comes again.',
    ],
    '磁盘曾短暂出错（{reason}），现已恢复，数据没有丢失。磁盘可能彻底损坏：请做备份；再次出现时更换磁盘。',
  ),
  store_salvaged: sentences(
    [
      'The store was damaged ({reason}). It was set aside as {aside}; {saved}. ',
      '{missing}{others}{keys}{devices}{tasks}{rules}{consumers}{orders}{log}{tables}Check the disk. ',
      'When nothing more is wanted of ',
      'the file, ',
      'delete it and run: fieldline-site alarms clear store_salvaged --by NAME.',
    ],
    [
      '数据库曾损坏（{reason}），已另存为 {aside}；{saved}。',
      '{missing}{others}{keys}{devices}{tasks}{rules}{consumers}{orders}{log}{tables}请检查磁盘。',
      '不再需要另存文件后删除它，再执行 fieldline-site alarms clear store_salvaged --by 姓名。',
    ],
  ),
  saved_all: sentences('{events} events could be saved', '恢复了 {events} 个事件'),
  saved_some: sentences('{events} events could be saved, not all', '恢复了 {events} 个事件，不是全部'),
  events_lost: sentences('At least {events} events are lost. ', '至少丢失 {events} 个事件。'),
  events_lost_here: sentences(
    'At least {events} events are lost here; headquarters had confirmed them all. ',
    '本站至少丢失 {events} 个事件，总部均已确认收到。',
  ),
  events_lost_unsent: sentences(
    [
      'At least {events} events are lost, of them {unsent} between {from} and {to} ',
      'that headquarters had not confirmed. ',
    ],
    '至少丢失 {events} 个事件，其中编号 {from} 至 {to} 之间的 {unsent} 个总部尚未确认。',
  ),
  others_lost: sentences('Lost too, in part or whole: {what}. ', '以下数据也部分或全部丢失：{what}。'),
  lost_secrets: sentences('named secrets', '命名密钥'),
  lost_verdicts: sentences('verdicts and corrections', '研判结论和更正'),
  lost_groups: sentences('incident groups and which events are in them', '事件组及其成员'),
  lost_files: sentences(
    'what was noted of evidence files and of their way to consumers',
    '证据文件及其上传任务的记录',
  ),
  lost_notifications: sentences('notifications', '通知'),
  lost_feedback: sentences('messages that wait for cameras', '待发给摄像机的消息'),
  lost_actions: sentences(
    'what the response rules had done (they may act once more)',
    '响应规则的处理记录（可能重复处理）',
  ),
  lost_records: sentences('audit entries and alarms', '审计记录和告警'),
  devices_doubtful: sentences(
    [
      'Registrations of cameras that cannot sign may be lost: what these post is answered 404 until they ',
      'are added anew; compare fieldline-site node list. ',
    ],
    '不能签名的摄像机的登记可能丢失：重新登记之前，其上报会得到 404；请核对 fieldline-site node list。',
  ),
  orders_doubtful: sentences(
    [
      'Answers to orders of headquarters, or what it had refused, may be lost: look at orders that stay ',
      'pending there. ',
    ],
    '对总部指令的答复或被拒收的记录可能丢失：请核对总部仍待处理的指令。',
  ),
  keys_doubtful: sentences(
    [
      'Keys may be lost, or be valid again that had been removed: compare fieldline-site node list and ',
      'the named ',
      'admin keys, and add, restore or remove what is to be otherwise. ',
    ],
    '密钥可能丢失，已移除的密钥可能重新有效：请核对 fieldline-site node list 和命名的管理密钥，补登或移除。',
  ),
  tasks_doubtful: sentences(
    'Tasks or entries of them may be lost: compare the open tasks with what is under way. ',
    '任务或其记录可能丢失：请与正在处理的情况核对。',
  ),
  rules_doubtful: sentences(
    [
      'Response rules or notification channels that were registered here may be lost, ',
      'or be of an older version: look at them. ',
    ],
    '在本站登记的响应规则或通知通道可能丢失或为旧版本：请核对。',
  ),
  consumers_doubtful: sentences(
    [
      'Consumers may have lost their registration or stand elsewhere: ',
      'compare GET /api/core/subscriptions. ',
    ],
    '消费者的登记或位置可能丢失：请核对 GET /api/core/subscriptions。',
  ),
  log_waiting: sentences(
    [
      'The log by which verdicts, tasks, groups, answers to orders and what cameras heard go to ',
      'headquarters was damaged; at least {count} of its entries had not gone up. It was written anew ',
      'of what is kept here, and all of that goes up once more; what is lost here goes up no more. ',
    ],
    [
      '向总部上传研判、任务、事件组、指令答复和摄像机反馈的日志曾损坏，其中至少 {count} 条尚未上传。',
      '已按本站现存数据重建，并将全部重新上传；本站已丢失的不再上传。',
    ],
  ),
  log_unknown: sentences(
    [
      'The log by which verdicts, tasks, groups, answers to orders and what cameras heard go to ',
      'headquarters was damaged; how many of its entries had not gone up is not known. It was written anew ',
      'of what is kept here, and all of that goes up once more; what is lost here goes up no more. ',
    ],
    [
      '向总部上传研判、任务、事件组、指令答复和摄像机反馈的日志曾损坏，其中多少条尚未上传无从得知。',
      '已按本站现存数据重建，并将全部重新上传；本站已丢失的不再上传。',
    ],
  ),
  tables_closed: sentences(
    'The tables {tables} take no new rows: restore a backup. ',
    '数据表 {tables} 不再接收新数据：请恢复备份。',
  ),
  store_lost: sentences(
    [
      'The store of this site is gone: site.db was empty or missing, although it was there before ',
      '({signs}). ',
      'A new, empty one was begun under a new epoch. {held}{cameras}Check the disk. To put a backup back: ',
      'systemctl stop fieldline-site; fieldline-site restore FILE. Otherwise add the cameras ',
      '(fieldline-site node add), register rules and consumers anew, and run: ',
      'fieldline-site alarms clear store_lost --by NAME.',
    ],
    [
      '本站数据库丢失：site.db 为空或不存在，而此前存在（{signs}）。',
      '已新建空库，并启用新的数据库标识（epoch）。{held}{cameras}',
      '请检查磁盘。恢复备份：systemctl stop fieldline-site; fieldline-site restore 文件。',
      '否则请重新登记摄像机（fieldline-site node add）、规则和消费者，再执行 fieldline-site alarms clear store_lost --by 姓名。',
    ],
  ),
  store_put_back: sentences(
    [
      'This store was put back at {at} from a copy {copy}. {between} It goes on under a new epoch and sends ',
      'everything once more. What headquarters alone has stays there. Was that intended, clear this alarm.',
    ],
    [
      '本站数据库已于 {at} 恢复为一份副本（{copy}）。{between}',
      '已换用新的数据库标识（epoch），并重新上传全部数据；只在总部的数据仍在总部。如系有意恢复，请清除此告警。',
    ],
  ),
  copy_made: sentences('that was made at {time}', '制作于 {time}'),
  copy_reaches: sentences('whose newest event was received at {time}', '其最新事件收于 {time}'),
  copy_empty: sentences('without events', '其中没有事件'),
  between_ids: sentences(
    'Events {from} to {to}, as far as there were some, were stored in between and are not in it.',
    '其间存入的第 {from} 至 {to} 号事件不在其中。',
  ),
  between_nothing: sentences('No event was stored in between.', '其间没有存入事件。'),
  between_unknown: sentences(
    'What was stored in between is not known here: there was no store before.',
    '其间存入了什么，本站无从得知：此前没有数据库。',
  ),
  held_unknown: sentences('How much it held is not known here. ', '原有多少数据，本站无从得知。'),
  held_known: sentences(
    'At {time} its newest event was {event}; what came after that is not known. ',
    '{time} 时最新事件为 {event}；此后的数据无从得知。',
  ),
  held_unsent: sentences(
    [
      'At {time} its newest event was {event}, and headquarters had not confirmed {unsent} events; ',
      'what came after that is not known. ',
    ],
    '{time} 时最新事件为 {event}，有 {unsent} 个事件总部尚未确认；此后的数据无从得知。',
  ),
  cameras_gone: sentences(
    'The keys of {cameras} cameras are gone with it: cameras are refused until they are added anew. ',
    '{cameras} 台摄像机的密钥随之丢失：重新登记之前，摄像机会被拒绝。',
  ),
  upgrade_without_copy: sentences(
    'The store was brought from schema {from} to {to}; there was no room for a copy of it from before.',
    '数据库已从版本 {from} 升级到 {to}；空间不足，没有保留旧版副本。',
  ),
  clock_set_ahead: sentences(
    [
      'The clock of this machine was set ahead by {seconds} s; {marked} events received before that ',
      'are marked clockSuspect. This clears itself after a day.',
    ],
    '本机时钟被调快 {seconds} 秒；此前收到的 {marked} 个事件已标记为时间可疑。一天后自动清除。',
  ),
  clock_set_back: sentences(
    [
      'The clock of this machine was set back by {seconds} s; {marked} events received before that ',
      'are marked clockSuspect. This clears itself after a day.',
    ],
    '本机时钟被调慢 {seconds} 秒；此前收到的 {marked} 个事件已标记为时间可疑。一天后自动清除。',
  ),
};
