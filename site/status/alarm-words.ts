/** What an alarm is about and what to do, in Chinese, by the part of its key before the colon. Its own message, which is in English, has the particulars. */
const chinese: Readonly<Record<string, string>> = {
  disk_short: '磁盘空间不足。总部已有的数据会自动删除；未配置总部时不会，请设置 CORE_RETENTION_EVENTS_DAYS。仍不足时请释放空间，或更换更大的磁盘。',
  disk_full: '磁盘已满，新事件被拒绝，摄像机须自行保留。请恢复总部链路（总部已有的数据会自动删除）；未配置总部时设置 CORE_RETENTION_EVENTS_DAYS。也可释放空间，或更换更大的磁盘。',
  disk_sweep_guard: '已删除一半数据，空间仍不足，已停止删除。确认无误后执行 fieldline-site disk confirm --by 姓名。',
  disk_shed: '因空间不足，删除了总部已有的数据。知悉后执行 fieldline-site alarms clear disk_shed --by 姓名。',
  disk_fault: '磁盘曾短暂出错，数据没有丢失。请做备份；再次出现时更换磁盘。',
  evidence_orphans: '大部分证据文件在数据库中没有对应事件（数据库曾丢失或更换），文件已保留。请到数据目录的 evidence 下自行移走或删除。',
  store_salvaged: '数据库曾损坏，已另存，可读部分已恢复。请检查磁盘，并用 fieldline-site node list 核对摄像机；不再需要另存文件后删除它，再执行 fieldline-site alarms clear store_salvaged --by 姓名。',
  store_restored: '本站数据库是较旧的副本，已换新纪元继续；副本之后的数据只在总部。',
  upgrade_without_copy: '升级前空间不足，没有保留旧版数据库副本。',
  clock_stepped: '时钟被调整，之前收到的事件已标记为时间可疑；一天后自动清除。',
  clock_skewed: '时钟与总部相差过大，暂停上传。请校时。',
  uplink_parked: '总部拒收了部分数据，已搁置。请用 fieldline-site parked list 查看原因，再重发或放弃。',
  uplink_key_conflict: '同一租户的其他站点已使用相同的幂等键，本站部分数据不在总部。请用 fieldline-site parked list 查看，并让各站点摄像机使用各自的键。',
  uplink_hub_epoch_changed: '总部更换了数据库，正在核对位置并补传缺少的数据。',
  uplink_hub_lost_data: '总部丢失了已上传的数据，正在补传。',
  retention_guard: '一次到期删除的数据过多，已停止。请检查时钟和保留天数，再确认。',
  retention_passed_consumer: '有消费者尚未确认的事件已被删除。',
  secret_reference: '旧版本的密钥引用指向本机文件或变量，现不再读取，相关推送或通道已停止。请用 PUT /api/core/secrets/{name} 提供密钥，再以其名称更新。',
  push_failing: '向消费者推送一再失败，仍在重试。',
  push_missed: '待推送的事件已不再保留，没有推送。',
  agent_events_missed: '处置代理未来得及处理的事件已被删除，没有生成任务。',
  agent_event_failed: '处置代理无法处理一个事件，请人工建任务。',
  agent_late: '事件等待处置代理超过 4 小时，只通知到收件箱。',
  escalation_missed: '任务超时 4 小时以上未能通知，请查看超时任务。',
  channel_missing: '规则要求的通知渠道没有配置。',
  notification_failed: '通知未能送达，已放弃。',
  rules_cache_damaged: '规则缓存损坏，已忽略。',
  rules_stale: '总部的规则长时间没有更新。',
};

/** null where there is nothing but the message. */
export const chineseOf = (key: string): string | null => chinese[key.split(':')[0] ?? ''] ?? null;
