import { agentMessages } from '../common/agent/agent-messages.ts';
import { coreAlarmMessages } from '../common/core/alarm/alarm-messages.ts';
import { sentences } from '../common/message.ts';
import { refusalMessages } from '../common/uplink/refusal-messages.ts';
import { databaseMessages } from './database-messages.ts';
import { sourceReasons } from './dataset/source-messages.ts';
import { dutyAlarmMessages } from './duty/duty-messages.ts';
import { rolloutMessages } from './fleet/rollout/rollout-messages.ts';
import { integrationAlarmMessages } from './integration/alarm-messages.ts';
import { itemAlarmMessages } from './receiver/alarm/item-alarm-messages.ts';

/** Alarms of headquarters alone. `channel` is a message that names what the channel of a site carries. */
export const hubAlarmMessages = {
  policies_ending: sentences(
    [
      '{count} policy files end within 30 days and no later version is scheduled; the first is file {doc} ',
      'of {tenant}, whose last day is {day}. Register the next version, or let it end.',
    ],
    [
      '有 {count} 份制度文件将在 30 天内失效，且没有排定后续版本；最早的是 {tenant} 的第 {doc} 号文件，',
      '最后有效日为 {day}。请登记新版本，或任其失效。',
    ],
  ),
  site_libraries: sentences(
    [
      '{count} sites do not have the policies in force; the first is {site}, of {tenant}. It refuses them, ',
      'or has not fetched them for a day: look at GET /api/core/kb/sites and at the uplink of the site.',
    ],
    [
      '有 {count} 个站点没有现行制度文件；第一个是 {site}（{tenant}）。站点拒收，或一天内未取回：',
      '请查看 GET /api/core/kb/sites 以及该站点的上行状态。',
    ],
  ),
  emergency_login: sentences(
    [
      'Somebody has logged in with the emergency account {name}, from {from}. If nobody of you did, disable ',
      'it and look at the audit (actor user:{name}). Clear this when you know who it was and why.',
    ],
    [
      '有人从 {from} 使用应急账号 {name} 登录。若非本单位人员，请立即停用该账号并查看审计（操作者 user:{name}）；',
      '查明何人因何使用后，请清除此告警。',
    ],
  ),
  database_replica: sentences(
    'The standby of DATABASE_READ_URL is away or behind: look at it. Lists are read from the primary.',
    'DATABASE_READ_URL 指定的备库无法访问或复制滞后，请检查；列表改由主库读取。',
  ),
  policy_embedding: sentences(
    'The embedding service refuses {chunks} chunks; they are found by keywords only.',
    '嵌入服务拒绝了 {chunks} 个片段，这些片段只能按关键词检索。',
  ),
  policy_index: sentences(
    'The search index of the policy library cannot be built; searches fail.',
    '无法建立制度库的检索索引，检索不可用。',
  ),
  ...databaseMessages,
  ...dutyAlarmMessages,
  ...rolloutMessages,
  ...integrationAlarmMessages,
  ...itemAlarmMessages,
  site_silent: sentences(
    [
      'The site {site} was last heard at {heard}, more than {minutes} {minutes|minute|minutes} ago: look at ',
      'its power, network and gateway. Where it still runs, it keeps what happens and sends it later. ',
      'Is it planned to be away: fieldline-hq site away {instance}.',
    ],
    [
      '站点 {site} 最后一次联系是 {heard}，已超过 {minutes} 分钟：请检查电源、网络和网关。',
      '站点若仍在运行，会继续存储并在恢复后补传。若属计划内停用，请执行 fieldline-hq site away {instance}。',
    ],
  ),
  uplink_lost_data: sentences(
    [
      'This store holds {channel} of the site {site} up to {known} only, the site had sent up to {sent}; ',
      'it sends them again.',
    ],
    '本总部保存的站点 {site} 的{channel}只到 {known}，而站点已上传到 {sent}；站点正在补传。',
  ),
  uplink_rolled_back: sentences(
    [
      'The site {site} runs on an older copy of its store: {channel} up to {known} are held here, ',
      'but its newest is {head}. It continues under a new epoch.',
    ],
    [
      '站点 {site} 在使用较旧的数据库副本：本总部的{channel}已到 {known}，站点最新为 {head}。',
      '站点已换用新的数据库标识（epoch）继续上传。',
    ],
  ),
  uplink_two_senders: sentences(
    [
      'Two machines send as the site {site}: its disk or data folder was copied, and both copies run. ',
      'What either sends is kept, but a verdict given here may reach the wrong one. ',
      'Stop the copy; to use that machine, set it up with an empty data folder, a name and a key of its own.',
    ],
    [
      '有两台机器以站点 {site} 的名义上传：其磁盘或数据目录被复制，且两份都在运行。',
      '两者上传的数据都会保留，但此处的研判可能送到错误的一台。',
      '请停止副本；如要使用那台机器，请用空的数据目录、单独的名称和密钥重新配置。',
    ],
  ),
  site_store_other: sentences(
    [
      'The site {site} goes on with another store than before, under a new epoch: one that was put back ',
      'from a copy, or saved after damage; the alarms of the site say which. Events of it are held here up ',
      'to {held}; those that it no longer has are here alone, and it sends everything once more. ',
      'Was that intended, clear this alarm.',
    ],
    [
      '站点 {site} 换用了另一份数据库，并使用新的数据库标识（epoch）：从副本恢复，或损坏后挽救所得，以站点自己的告警为准。',
      '本总部的事件已到 {held}；站点不再有的事件只在这里，站点正在重新上传全部数据。如系有意为之，请清除此告警。',
    ],
  ),
  site_store_new: sentences(
    [
      'The site {site} has begun with an empty store, under a new epoch; events of it are held here up ',
      'to {held}. ',
      'What it had stored after that is lost, and the keys of its cameras with it, unless a backup is ',
      'restored there. ',
      'If the machine was replaced on purpose, clear this alarm.',
    ],
    [
      '站点 {site} 以空数据库和新的数据库标识（epoch）启动；本总部的事件已到 {held}。',
      '此后存入站点的数据及其摄像机密钥已丢失，',
      '除非在站点恢复备份。如系有意更换机器，请清除此告警。',
    ],
  ),
  uplink_key_conflict: sentences(
    [
      'Events of the site {site} are not stored here, because another instance used their idempotency ',
      'keys first; ',
      'the last of them: {last} Give the cameras of each site keys of their own; ',
      'GET /api/core/uplink/conflicts has all.',
    ],
    [
      '站点 {site} 的部分事件没有存入本总部：其幂等键已被其他实例使用；最后一个：{last}',
      '请让各站点的摄像机使用各自的键；全部见 GET /api/core/uplink/conflicts。',
    ],
  ),
  uplink_content_conflict: sentences(
    [
      'Events of the site {site} were sent again with other content; the first version stands. ',
      'The last of them: ',
      '{last} GET /api/core/uplink/conflicts has all.',
    ],
    '站点 {site} 的部分事件以不同内容再次上传，以首次的为准。最后一个：{last}全部见 GET /api/core/uplink/conflicts。',
  ),
  conflicting_event: sentences(
    '{type}, {severity}, occurred {time}, key {key} of the tenant {tenant}, which is event {id} of {held}.',
    '{type}，{severity}，发生于 {time}，租户 {tenant} 的键 {key}，即 {held} 的事件 {id}。',
  ),
  no_severity: sentences('no severity', '无级别'),
  unknown_time: sentences('at an unknown time', '未知时间'),
  headquarters: sentences('headquarters', '总部'),
  uplink_foreign_verdict: sentences(
    [
      'The site {site} judged events that did not arise there, and was refused; the last: {verdict} by {by} ',
      'on event {event} (key {key}) of {held}. Either its cameras use the keys of another site, ',
      'or its key is in other hands, or it was {held} before: then say so with fieldline-hq site continue.',
    ],
    [
      '站点 {site} 研判了不属于它的事件，已拒绝；最后一个：{by} 对 {held} 的事件 {event}（键 {key}）研判为 {verdict}。',
      '可能其摄像机使用了其他站点的键，或其密钥被他人掌握，或它原名 {held}：如是后者，请用 fieldline-hq site continue 说明。',
    ],
  ),
  uplink_decision_refused: sentences(
    [
      'The site {site} did not carry out what was decided here on event {event}: {reason}. ',
      'It stands here, its camera does not hear of it; the timelines of such events say so.',
    ],
    '站点 {site} 未执行总部对事件 {event} 的决定：{reason}。总部的决定仍有效，但摄像机不会收到；此类事件的时间线有说明。',
  ),
  uplink_order_refused: sentences(
    [
      'The site {site} did not carry out what {by} ordered here on {subject}: {reason}. ',
      'It is as the site has it; its orders, and of a task the timeline of its event, say so.',
    ],
    '站点 {site} 未执行 {by} 在总部对{subject}下达的指令：{reason}。以站点为准；其指令记录（任务另见事件时间线）有说明。',
  ),
  uplink_order_unclear: sentences(
    [
      'What the site {site} answered to what {by} ordered here on {subject} cannot be read: {reason}. ',
      'Whether it was carried out is seen there, as its state comes up beside it. The answer is parked ',
      'at the site; update headquarters and replay it there.',
    ],
    [
      '站点 {site} 对 {by} 就{subject}下达的指令的答复无法读取：{reason}。是否已执行请看其现状，状态另行上传。',
      '答复已在站点搁置；请升级总部后在站点重放。',
    ],
  ),
  unclear_order: sentences(
    'What the site {site} answered to what {by} ordered on task {task} cannot be read: {reason}',
    '【答复不明】站点 {site} 对 {by} 就任务 {task} 下达的指令的答复无法读取：{reason}',
  ),
  refused_order: sentences(
    'The site {site} did not carry out what {by} ordered on task {task}: {reason}',
    '【站点未执行】站点 {site} 未执行 {by} 对任务 {task} 下达的指令：{reason}',
  ),
  task_named: sentences('task {id}', '任务 {id} '),
  group_named: sentences('incident group {id}', '归并组 {id} '),
  unclear_group_order: sentences(
    'What the site {site} answered to what {by} ordered on incident group {group} cannot be read: {reason}',
    '【答复不明】站点 {site} 对 {by} 就归并组 {group} 下达的指令的答复无法读取：{reason}',
  ),
  refused_group_order: sentences(
    'The site {site} did not carry out what {by} ordered on incident group {group}: {reason}',
    '【站点未执行】站点 {site} 未执行 {by} 对归并组 {group} 下达的指令：{reason}',
  ),
  refused_decision: sentences(
    'The site {site} did not carry out what {by} decided on event {event}: {reason}',
    '【站点未执行】站点 {site} 未执行 {by} 对事件 {event} 的决定：{reason}',
  ),
  uplink_site_renamed: sentences(
    [
      'The site {site} sends the very events that the site {before} brought. If {before} was set up ',
      'again under this ',
      'name, say so: fieldline-hq site continue {instance} --before {before}; until then what {site} says ',
      'on those events ',
      'is refused. Otherwise its disk was copied: stop the copy.',
    ],
    [
      '站点 {site} 上传的正是站点 {before} 上传过的事件。如 {before} 以此名称重新配置，请执行 ',
      'fieldline-hq site continue {instance} --before {before}；在此之前，{site} 对这些事件的研判会被拒绝。',
      '否则其磁盘被复制：请停止副本。',
    ],
  ),
  events_channel: sentences('events', '事件'),
  verdicts_channel: sentences('verdicts, tasks and groups', '研判、任务与事件组'),
  dataset_failed: sentences(
    '{source}, dataset {dataset}: {reason}',
    '数据源 {source}，数据集 {dataset}：{reason}',
  ),
  dataset_room: sentences(
    [
      'The datasets that are pulled for {tenant} take {percent} % of what they may: {rows} of {mostRows} ',
      'rows, {bytes} of {mostBytes} bytes; the largest is {dataset} of {source}. When that is full, what ',
      'would add to it stops. See whether that source ever comes to an end; otherwise raise ',
      'CORE_DATASET_TENANT_ROWS and CORE_DATASET_TENANT_BYTES, or take a dataset out.',
    ],
    [
      '租户 {tenant} 拉取的数据集已用其份额的 {percent}%：{mostRows} 行中的 {rows} 行，{mostBytes} 字节中的 {bytes} 字节；',
      '最大的是数据源 {source} 的数据集 {dataset}。用满后停止增加。请核实该数据源是否有尽头；',
      '如属正常，请调大 CORE_DATASET_TENANT_ROWS 和 CORE_DATASET_TENANT_BYTES，或移除某个数据集。',
    ],
  ),
  dataset_source_failed: sentences(
    '{source}: nothing of it can be pulled ({count} {count|dataset|datasets}): {reason}',
    '数据源 {source} 的 {count} 个数据集均无法拉取：{reason}',
  ),
  project_codes_repeated: sentences(
    [
      'Several live projects of the tenant {tenant} have the same code, and the open interface answers for ',
      'none of them: {codes}. Have all but one deleted or given another code in the business system.',
    ],
    [
      '租户 {tenant} 有多个未删除的项目使用同一编码，开放接口对这些项目均不予回答：{codes}。',
      '请在业务系统中删除或更改编码，每个编码只保留一个项目。',
    ],
  ),
  dataset_rows_ahead: sentences(
    [
      '{source}, dataset {dataset}: rows are stamped after the time of the source itself, {asOf}, and are ',
      'not taken until that time has come: {rows}. Have their update time corrected there; every other row ',
      'was taken.',
    ],
    [
      '数据源 {source}，数据集 {dataset}：部分数据的更新时间晚于数据源自身的时间 {asOf}，到时之前不会入库：{rows}。',
      '请在数据源更正其更新时间；其余数据均已入库。',
    ],
  ),
};

/** Every alarm of headquarters. No code stands in two of them: a test holds that. */
export const hubMessages = {
  ...coreAlarmMessages,
  ...agentMessages,
  ...refusalMessages,
  ...sourceReasons,
  ...hubAlarmMessages,
};
