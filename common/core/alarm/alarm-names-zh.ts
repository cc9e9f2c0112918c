// What an alarm of another instance is called in Chinese where that instance is of a version that sends its
// English sentence alone.

/** By the key of the alarm, up to its first colon; what follows there names what it is about. */
const NAMES: Readonly<Record<string, string>> = {
  agent_event_failed: '一个事件未能处置',
  agent_events_missed: '有事件未经响应规则处理',
  agent_late: '响应规则处理滞后',
  camera_silent: '摄像机长时间没有上报',
  channel_missing: '没有配置通知通道',
  connections_full: '连接数已满',
  clock_skewed: '时钟与总部相差过大',
  clock_suspect: '时钟不可信',
  disk_fault: '磁盘出现故障',
  backup_old: '很久没有备份',
  disk_full: '磁盘已满',
  disk_shed: '因空间不足已删除数据',
  disk_short: '磁盘空间不足',
  disk_sweep_guard: '一次清理数量过大，等待确认',
  escalation_late: '有任务未能按时升级',
  evidence_damaged: '有证据文件在磁盘上损坏',
  evidence_lost: '因空间不足，有图片在上传前被删除',
  evidence_orphans: '有证据文件没有对应的事件',
  loop_failing: '后台任务持续失败',
  ends_repeat: '程序反复非正常结束',
  model_calls: '今日模型调用接近或达到上限',
  notification_failed: '有通知未能送出',
  posts_refused: '摄像机的上报全部被拒收',
  push_failing: '向消费者的推送连续失败',
  push_missed: '有事件在推送前已被删除',
  secrets_unreadable: '有密钥无法读取',
  retention_guard: '到期删除已停止，等待确认',
  retention_passed_consumer: '有事件在消费者确认前已被删除',
  rows_left_out: '有记录无法处理，已跳过',
  rules_passed: '有事件未经响应规则处理',
  store_lost: '数据库曾丢失，已重新建立',
  store_restored: '数据库已从备份恢复',
  store_salvaged: '数据库损坏，已抢救恢复',
  upgrade_without_copy: '升级前未能备份数据库',
  uplink_hub_epoch_changed: '总部换了数据库',
  uplink_hub_lost_data: '总部丢失了数据，正在补传',
  uplink_key_conflict: '有事件的键已被其他站点使用',
  uplink_parked: '有数据被总部拒收而搁置',
  uplink_inbox_failing: '总部下达的内容无法执行',
};

/** The name of an alarm, without what it is about. */
export const nameOf = (key: string): string => key.split(':', 1)[0] ?? key;

/** Whether an alarm of a site has this name. */
export const isAlarmName = (name: string): boolean => Object.hasOwn(NAMES, name);

export function alarmNameZh(key: string): string {
  const name = nameOf(key);
  const what = key.slice(name.length + 1);
  const said = isAlarmName(name) ? (NAMES[name] ?? name) : `告警 ${name}`;
  return `${said}${what === '' ? '' : `（${what}）`}。站点版本较旧，没有更详细的中文说明；详见站点页面，或升级站点。`;
}
