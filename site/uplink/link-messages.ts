import { sentences } from '../../common/message.ts';

/**
 * What stands between a site and its headquarters. `said` is the status, code and message that headquarters
 * answered.
 */
export const linkMessages = {
  hub_unreachable: sentences('headquarters cannot be reached: {fault}', '连不上总部：{fault}'),
  hub_unreachable_at: sentences(
    'headquarters cannot be reached at {url}: {fault}',
    '连不上总部 {url}：{fault}',
  ),
  clock_ahead: sentences(
    'headquarters refused the time of this site, which is {seconds} s ahead; set the clock',
    '总部拒绝本机时间：本机时钟快 {seconds} 秒，请校时',
  ),
  clock_behind: sentences(
    'headquarters refused the time of this site, which is {seconds} s behind; set the clock',
    '总部拒绝本机时间：本机时钟慢 {seconds} 秒，请校时',
  ),
  hub_older_protocol: sentences(
    'headquarters does not speak this protocol; update it ({said})',
    '总部版本过旧，请升级总部（{said}）',
  ),
  hub_refused_key: sentences(
    [
      'headquarters refused the key ({said}); check CORE_UPLINK_KEY_REF, ',
      'or have a new key issued at headquarters',
    ],
    '总部无法识别密钥（{said}），请核对 CORE_UPLINK_KEY_REF，或在总部重新发放密钥',
  ),
  hub_refused_site: sentences(
    [
      'headquarters does not let this site in ({said}); check CORE_INSTANCE ',
      "and the site's registration at headquarters",
    ],
    '总部不接纳本站（{said}），请核对 CORE_INSTANCE 和总部的登记',
  ),
  no_uplink_there: sentences(
    'there is no uplink at CORE_UPLINK_URL ({said}); check the address',
    'CORE_UPLINK_URL 不是总部的地址（{said}），请核对地址',
  ),
  hub_busy: sentences(
    'headquarters is busy ({said}); it is tried again',
    '总部暂时不能接收（{said}），稍后自动再试',
  ),
  hub_damaged: sentences(
    'headquarters cannot read a part of its database ({said}); what it was for waits here and is tried again',
    '总部的数据库有一部分无法读取（{said}），数据在本站等待，稍后自动再试',
  ),
  hub_full: sentences('headquarters has no room left for it ({said})', '总部已无存储空间（{said}）'),
  hub_failed: sentences(
    'headquarters failed at it ({said}); its log says why, under the same request id. It is tried again',
    '总部处理失败（{said}），原因见总部日志中同一请求编号的记录；稍后自动再试',
  ),
  hub_answered: sentences('headquarters answered {said}', '总部的应答是 {said}'),
  answer_without_form: sentences(
    'the answer of headquarters does not have the form of the uplink',
    '总部的应答不符合上行协议，请核对地址和总部版本',
  ),
  answer_outside: sentences(
    'headquarters answered the cursor {cursor} to the stretch {from} to {to}, newest {head}',
    '总部对 {from} 至 {to}（最新 {head}）的应答位置为 {cursor}，不在范围内',
  ),
  hub_misses: sentences(
    'headquarters misses {channel} after {known} although they were sent from there',
    '总部缺少 {known} 之后的{channel}，而本站正是从那里发送的',
  ),
  events_channel: sentences('events', '事件'),
  verdicts_channel: sentences('verdicts, tasks and groups', '研判、任务与事件组'),
  store_older: sentences('this store is an older copy', '本站数据库是较旧的副本'),
  key_unreadable: sentences(
    'the key of the uplink cannot be read: {reason}',
    '读不到总部密钥，请用 fieldline-site setup 重新配置：{reason}',
  ),
  site_failed: sentences('{reason}', '本站上传时出错，正在重试：{reason}'),
  // Of the test of a link, before it is saved.
  test_clock: sentences(
    'the clock of this machine is wrong: headquarters has {time}; set the clock',
    '本机时钟不对：总部时间为 {time}，请校时',
  ),
  test_key: sentences(
    [
      'headquarters does not know this key, or the secret is mistyped; ',
      'type <key id>:<secret> as headquarters printed it',
    ],
    '总部无法识别此密钥，或密钥输入有误；请按总部给出的 <密钥 ID>:<密钥> 输入',
  ),
  test_instance: sentences(
    'the key is not of the site {instance}; the instance name must be the one registered at headquarters',
    '密钥不属于站点 {instance}；站点名称须与总部登记的一致',
  ),
  test_not_hub: sentences(
    '{url} answers {status}, but not as headquarters does; check the address',
    '{url} 返回 {status}，但不是总部的应答，请核对地址',
  ),
  // Of the code by which a site fetches its key.
  join_code: sentences(
    [
      'headquarters does not know this code for this site: it is mistyped, used, or older than ten minutes; ',
      'ask for another one (fieldline-hq site code)',
    ],
    '总部不认可本站使用此接入码：输入有误、已使用过或超过十分钟；请重新索取（fieldline-hq site code）',
  ),
  join_held_up: sentences(
    'too many codes were wrong; headquarters takes the next one in {seconds} s',
    '接入码输错次数过多，请在 {seconds} 秒后再试',
  ),
  join_keys: sentences(
    'the site has too many keys at headquarters; have one withdrawn there, and ask for another code',
    '总部登记的本站密钥过多；请在总部撤销一个，再索取新的接入码',
  ),
  join_not_there: sentences(
    [
      '{url} answers {status} to a joining code; check the address, ',
      'or whether headquarters is too old for codes',
    ],
    '{url} 对接入码返回 {status}；请核对地址，或总部版本过旧、不支持接入码',
  ),
  another_time: sentences('another time', '另一时间'),
};
