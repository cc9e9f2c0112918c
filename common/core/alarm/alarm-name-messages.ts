// What an alarm of another instance is called where that instance says it in English alone, since its
// program is of another version than its store. A new alarm is named by a line here: of names that stand
// here metrics show those of other instances too.
import { type Catalogue, sayer, sentences, translate } from '../../message.ts';

/** By the key of the alarm, up to its first colon; what follows there names what it is about. */
const alarmNames: Catalogue = {
  agent_event_failed: sentences('an event could not be handled', '一个事件未能处置'),
  agent_events_missed: sentences('events passed the response rules by', '有事件未经响应规则处理'),
  agent_late: sentences('response rules work late', '响应规则处理滞后'),
  camera_silent: sentences('a camera is silent', '摄像机长时间没有上报'),
  channel_missing: sentences('no notification channel is configured', '没有配置通知通道'),
  connections_full: sentences('all connections are taken', '连接数已满'),
  clock_skewed: sentences('the clock differs from that of headquarters', '时钟与总部相差过大'),
  clock_suspect: sentences('the clock is not to be trusted', '时钟不可信'),
  disk_fault: sentences('the disk has faults', '磁盘出现故障'),
  backup_old: sentences('no backup for long', '很久没有备份'),
  disk_full: sentences('the disk is full', '磁盘已满'),
  disk_shed: sentences('data was deleted for want of room', '因空间不足已删除数据'),
  disk_short: sentences('the disk is short of room', '磁盘空间不足'),
  disk_sweep_guard: sentences(
    'one sweep would delete too much, and waits for a word',
    '一次清理数量过大，等待确认',
  ),
  emergency_login: sentences('an emergency account was used', '应急账号被使用'),
  escalation_late: sentences('a task was not escalated in time', '有任务未能按时升级'),
  evidence_damaged: sentences('evidence files are damaged on the disk', '有证据文件在磁盘上损坏'),
  evidence_lost: sentences(
    'pictures were deleted before they were sent, for want of room',
    '因空间不足，有图片在上传前被删除',
  ),
  evidence_folder: sentences('the folder of the evidence files cannot be used', '证据文件夹无法使用'),
  evidence_orphans: sentences('evidence files have no event', '有证据文件没有对应的事件'),
  loop_failing: sentences('background work fails again and again', '后台任务持续失败'),
  program_stalled: sentences('the program did not run for a while', '程序曾长时间停顿'),
  ends_repeat: sentences('the program ends unplanned again and again', '程序反复非正常结束'),
  model_calls: sentences(
    'calls of the model are near or at the limit of today',
    '今日模型调用接近或达到上限',
  ),
  model_calls_hour: sentences('a rule has the model called too often', '有规则调用模型过于频繁'),
  notification_failed: sentences('notifications could not be delivered', '有通知未能送出'),
  posts_refused: sentences('all messages of a camera are refused', '摄像机的上报全部被拒收'),
  push_failing: sentences('pushes to a consumer fail again and again', '向消费者的推送连续失败'),
  push_missed: sentences('events were deleted before they were pushed', '有事件在推送前已被删除'),
  secrets_unreadable: sentences('secrets cannot be read', '有密钥无法读取'),
  retention_guard: sentences('deletion by age has stopped, and waits for a word', '到期删除已停止，等待确认'),
  retention_passed_consumer: sentences(
    'events were deleted before their consumer confirmed them',
    '有事件在消费者确认前已被删除',
  ),
  rows_left_out: sentences('records cannot be worked on, and are left out', '有记录无法处理，已跳过'),
  rules_passed: sentences('events passed the response rules by', '有事件未经响应规则处理'),
  site_libraries: sentences('sites lack the policies in force', '有站点没有现行制度文件'),
  store_lost: sentences('the store was lost, and made anew', '数据库曾丢失，已重新建立'),
  store_restored: sentences('the store was restored from a backup', '数据库已从备份恢复'),
  store_salvaged: sentences(
    'the store was damaged, and what could be saved was saved',
    '数据库损坏，已抢救恢复',
  ),
  upgrade_failed: sentences('an upgrade from headquarters did not go through', '总部下发的升级未成功'),
  upgrade_without_copy: sentences('the store could not be copied before an upgrade', '升级前未能备份数据库'),
  uplink_hub_epoch_changed: sentences('headquarters has another store', '总部换了数据库'),
  uplink_hub_lost_data: sentences('headquarters lost data, and gets it again', '总部丢失了数据，正在补传'),
  uplink_key_conflict: sentences('the key of an event is used by another site', '有事件的键已被其他站点使用'),
  uplink_parked: sentences('headquarters refused data, which is parked', '有数据被总部拒收而搁置'),
  rules_unreadable: sentences('the response rules cannot be read', '响应规则无法读取'),
  uplink_doubled: sentences(
    'another store sends under the name of this site',
    '另有一份数据以本站点的名义上传',
  ),
  uplink_evidence_full: sentences(
    'headquarters has no room for pictures and other evidence',
    '总部没有空间接收图片等证据',
  ),
  uplink_inbox_failing: sentences('what headquarters sends cannot be carried out', '总部下达的内容无法执行'),
};

const unworded = {
  alarm: sentences('alarm {name}', '告警 {name}'),
  about: sentences('{name} ({about})', '{name}（{about}）'),
  see: sentences(
    '{name}. There is no more of it in this language; see the page of the site, or upgrade the site.',
    '{name}。站点版本较旧，没有更详细的中文说明；详见站点页面，或升级站点。',
  ),
};

/** The name of an alarm, without what it is about. */
export const nameOf = (key: string): string => key.split(':', 1)[0] ?? key;

/** Whether an alarm of a site has this name. */
export const isAlarmName = (name: string): boolean => Object.hasOwn(alarmNames, name);

/** The message in Chinese of an alarm of which nothing but its key is known. */
export function alarmNameZh(key: string): string {
  const w = sayer(unworded, 'zh');
  const name = nameOf(key);
  const about = key.slice(name.length + 1);
  const called = translate(alarmNames, { code: name, params: {} }, 'zh') ?? w('alarm', { name });
  return w('see', { name: about === '' ? called : w('about', { name: called, about }) });
}
