import { sentences } from '../../common/message.ts';

/** Alarms of the uplink. `channel` is a message that names what the channel carries. */
export const uplinkAlarmMessages = {
  uplink_hub_epoch_changed: sentences(
    [
      'Headquarters runs on another store than before; positions are compared ',
      'and what it lacks is sent again.',
    ],
    '总部更换了数据库，正在核对位置并补传缺少的数据。',
  ),
  uplink_hub_lost_data: sentences(
    'Headquarters holds {channel} up to {known} only, this site had sent up to {sent}; it sends them again.',
    '总部丢失了数据：{channel}只到 {known}，本站已上传到 {sent}，正在补传。',
  ),
  store_restored: sentences(
    [
      "This site's store is an older copy: headquarters holds {channel} up to {known}. It goes on ",
      'under a new ',
      'epoch; what was stored here after the copy was made is only at headquarters.',
    ],
    [
      '本站数据库是较旧的副本：总部的{channel}已到 {known}。',
      '已换用新的数据库标识（epoch）继续；副本之后存入的数据只在总部。',
    ],
  ),
  clock_skewed: sentences('{fault}. Nothing goes to headquarters until then.', '{fault}。校时之前暂停上传。'),
  uplink_parked: sentences(
    'Headquarters refused {refused}; see fieldline-site parked list, then replay or discard them.',
    '总部拒收了 {refused}，已搁置。请用 fieldline-site parked list 查看原因，再重发或放弃。',
  ),
  uplink_inbox_failing: sentences(
    [
      '{count} {count|verdict, order or wanted picture|verdicts, orders or wanted pictures} of headquarters ',
      'cannot be carried out here: {reason}. {count|It is|They are} tried again each minute.',
    ],
    '总部下达的 {count} 项研判、指令或取图无法在本站执行：{reason}。每分钟重试。',
  ),
  uplink_doubled: sentences(
    [
      'Another store sends to headquarters under the name of this site: a copy of it runs elsewhere, or its ',
      'key is used there, and gets what is meant for this one. Stop the other, or give it a name and a key ',
      'of its own. The alarm ends within twenty minutes after that.',
    ],
    [
      '另有一份数据以本站点的名义向总部上传：本站的副本在别处运行，或密钥在别处使用，发给本站的内容会被它取走。',
      '请停止那一个，或为它登记自己的名称和密钥。此后二十分钟内告警自动结束。',
    ],
  ),
  uplink_evidence_full: sentences(
    [
      'Pictures and other evidence of {tenants} cannot go up: {fault}. They wait here, and each minute ',
      'one is tried; what the disk of this site must delete meanwhile is lost. Have room made at ',
      'headquarters: a larger CORE_EVIDENCE_LIMIT or share, or fewer days of retention.',
    ],
    [
      '{tenants} 的图片等证据无法上传：{fault}。文件留在本站，每分钟重试；期间若本站磁盘不足而删除，则丢失。',
      '请在总部腾出空间：调大 CORE_EVIDENCE_LIMIT 或份额，或缩短保留天数。',
    ],
  ),
  uplink_key_conflict: sentences(
    [
      '{refused} of this site {total|is|are} not at headquarters: another site of the tenant has used ',
      'the same ',
      'idempotency keys. See fieldline-site parked list; give the cameras of each site keys of their own.',
    ],
    [
      '本站的 {refused}（共 {total} 条）不在总部：同一租户的其他站点已使用相同的幂等键。',
      '请用 fieldline-site parked list 查看，并让各站点的摄像机使用各自的键。',
    ],
  ),
  parked_events: sentences('{count} {count|event|events}', '{count} 个事件'),
  parked_both: sentences('{events} and {verdicts}', '{events}和 {verdicts}'),
  parked_verdicts: sentences(
    '{count} {count|change|changes} of verdicts, tasks or groups',
    '{count} 条研判、任务或事件组变更',
  ),
};
