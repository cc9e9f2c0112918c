import { sentences } from '../../common/message.ts';

export const siteMessages = {
  made: sentences(
    `The key of {instance}, shown this once:

  {keyId}:{secret}

At the site run

  fieldline-site setup --instance {instance} --url {address}

which asks for the key and tries the link. Where the site runs without the package, keep the key in a file
that only the site program reads, and set there

  CORE_INSTANCE={instance}
  CORE_UPLINK_URL={address}
  CORE_UPLINK_KEY_REF=file:<path of that file>
`,
    `{instance} 的密钥，只显示这一次：

  {keyId}:{secret}

请在站点执行

  fieldline-site setup --instance {instance} --url {address}

它会询问密钥并测试链路。站点不用软件包运行时，请将密钥存入只有站点程序能读取的文件，并设置

  CORE_INSTANCE={instance}
  CORE_UPLINK_URL={address}
  CORE_UPLINK_KEY_REF=file:<该文件的路径>
`,
  ),
  code: sentences(
    `The joining code of {instance}, good once and for ten minutes:

  {code}

At the site run

  fieldline-site setup --url {address} --code {code}

which fetches the key, tries the link and saves both.
`,
    `{instance} 的接入码，十分钟内有效，只能用一次：

  {code}

请在站点执行

  fieldline-site setup --url {address} --code {code}

它会取得密钥、测试链路并保存。
`,
  ),
  none: sentences(
    'No site is registered; add one with: fieldline-hq site add',
    '没有登记站点；用 fieldline-hq site add 登记',
  ),
  head: sentences(
    'INSTANCE | TENANTS | KEYS | SINCE | SILENT AFTER | STATE | WAITS THERE | WAITS HERE | FAILED',
    '站点 | 租户 | 密钥 ID | 登记时间 | 失联时限 | 状态 | 站点待上传 | 总部待办 | 失败',
  ),
  silentAfter: sentences('{minutes} min', '{minutes} 分钟'),
  isAway: sentences('away', '计划停用'),
  watched: sentences(
    [
      '{instance} is silent when it was not heard for more ',
      'than {minutes} minutes; the alarm is site_silent',
    ],
    '{instance} 超过 {minutes} 分钟没有联系即为失联，触发告警 site_silent',
  ),
  away: sentences(
    '{instance} is planned to be away; nobody is called for its silence',
    '{instance} 已标记为计划停用，失联不再告警',
  ),
  back: sentences(
    '{instance} is not away any more; the alarm site_silent comes after {minutes} minutes of silence',
    '{instance} 已恢复使用，失联 {minutes} 分钟后触发告警 site_silent',
  ),
  tenants: sentences(
    '{instance} may bring events of: {tenants}',
    '{instance} 可以上传这些租户的事件：{tenants}',
  ),
  continues: sentences(
    [
      '{instance} continues {before}: the events of {before} are its own now. Items parked there ',
      'can be replayed.',
    ],
    '{instance} 接续 {before}：原站点的事件归其所有。搁置的数据可在站点重新上传。',
  ),
  oldSecretEnds: sentences('The old secret is no longer valid.', '旧密钥已失效。'),
  overlap: sentences('The old secret stays valid for {hours} hours.', '旧密钥在 {hours} 小时内仍有效。'),
  removed: sentences(
    '{instance} is removed; its uplink is refused from now on. What it brought stays.',
    '{instance} 已移除，今后拒绝其上传。已上传的数据保留。',
  ),
};
