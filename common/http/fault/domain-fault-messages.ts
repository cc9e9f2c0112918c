import { sentences } from '../../message.ts';

/** What is wrong with a member of one of the things of the core API. Each is read after its path. */
export const domainFaultMessages = {
  file_twice: sentences('must not name a file twice', '同一文件不能写两次'),
  node_tenant: sentences("must be the tenant of the node's key", '必须是该节点密钥所属的租户'),
  event_or_batch: sentences('must be an event object, or {list}', '必须是一个事件对象，或 {list}'),
  event_list: sentences('must be a list of events', '必须是事件列表'),
  event_count: sentences(
    'must hold 1 to {most} events; it holds {size}',
    '必须含 1 至 {most} 个事件，现有 {size} 个',
  ),
  event_or_id: sentences('or event_id must be given, and not both', '与 event_id 必须给出其一，且只能一个'),
  event_of_tenant: sentences('must be an event of this tenant', '必须是本租户的事件'),
  note_needed: sentences('is required when the verdict is false_alarm', '研判为误报时必填'),
  target_needed: sentences('is required when the verdict is merged', '研判为合并时必填'),
  target_unwanted: sentences('is only for the verdict merged', '只用于合并'),
  target_itself: sentences('must not be the event itself', '不能是该事件本身'),
  target_elsewhere: sentences('must be another event of the same tenant', '必须是同一租户的另一个事件'),
  only_service_writes: sentences(
    'is disposition evidence, which only the service writes',
    '是处置证据，只能由服务写入',
  ),
  group_itself: sentences('incident {id} is the group to merge into', '事件组 {id} 就是要并入的组'),
  group_tenant: sentences('incident {id} is of another tenant', '事件组 {id} 属于其他租户'),
  group_layer: sentences('incident {id} is of another layer', '事件组 {id} 属于其他层级'),
  group_no_member: sentences('event {id} is not a member of this group', '事件 {id} 不在该组中'),
  group_no_event: sentences(
    'event {id} does not exist or is not of this tenant',
    '事件 {id} 不存在，或不属于本租户',
  ),
  group_layer_other: sentences(
    'must be {layer}, the layer of the group with this source_key',
    '必须是 {layer}，即此 source_key 的组所在的层级',
  ),
  group_emptied: sentences('must leave at least one member in the group', '组中至少要留一个成员'),
  channel_address_needed: sentences('is required: give url or url_ref', '必填：请给出 url 或 url_ref'),
  recipients_needed: sentences('is required for sms and e-mail', '短信和邮件通道必填'),
  channel_address: sentences(
    [
      'must be an http:// or https:// address without user name or password; for e-mail smtp://host:587 or ',
      'smtps://host:465',
    ],
    '必须是 http:// 或 https:// 地址，不含用户名和密码；邮件为 smtp://主机:587 或 smtps://主机:465',
  ),
  address_of_mail: sentences(
    'must be smtp://host:587 (STARTTLS) or smtps://host:465 (TLS) for e-mail',
    '邮件通道须为 smtp://主机:587（STARTTLS）或 smtps://主机:465（TLS）',
  ),
  address_of_web: sentences(
    'must begin with http:// or https://: smtp is for the format email',
    '须以 http:// 或 https:// 开头，smtp 地址只用于 email 格式',
  ),
  mail_needed: sentences(
    'is required for e-mail: give the sender in mail.from',
    '邮件通道必填：请在 mail.from 给出发件人',
  ),
  mail_only: sentences('is for e-mail only', '只用于邮件通道'),
  mail_login_whole: sentences(
    'and the secret go together: give mail.user and its password as secret, or neither',
    '须与密钥成对给出：mail.user 及其密码（secret），或两者都不填',
  ),
  mail_address: sentences(
    'must be an e-mail address such as duty@example.com',
    '必须是邮件地址，例如 duty@example.com',
  ),
  recipient: sentences(
    'must be a telephone number of 5 to 20 digits, or an e-mail address for e-mail',
    '必须是 5 至 20 位的电话号码，邮件通道为邮件地址',
  ),
  one_address: sentences('give url or url_ref, not both', 'url 与 url_ref 只能给出一个'),
  one_secret: sentences('give secret or secret_ref, not both', 'secret 与 secret_ref 只能给出一个'),
  secret_anew: sentences(
    'must be given anew: the address is now at {host}, the secret was for {before}',
    '必须重新给出：地址现为 {host}，原密钥用于 {before}',
  ),
  sms_format: sentences('must be sms_gateway for sms', '短信通道必须是 sms_gateway'),
  chat_format: sentences('must not be sms_gateway for chat', '群聊通道不能是 sms_gateway'),
  sms_only: sentences('is for sms only', '只用于短信通道'),
  recipients_only: sentences('is for sms and e-mail only', '只用于短信和邮件通道'),
  placeholder_unknown: sentences(
    '{name} is not a placeholder; there are {names}',
    '{name} 不是占位符；可用的有 {names}',
  ),
  placeholders_only: sentences('may use only the placeholders {names}', '只能使用占位符 {names}'),
  time_of_day: sentences('must be a time of day as 22:30', '必须是 22:30 这样的时刻'),
  time_zone: sentences(
    'must be the name of a time zone as Asia/Shanghai',
    '必须是 Asia/Shanghai 这样的时区名',
  ),
  telephone: sentences('must be a telephone number of 5 to 20 digits', '必须是 5 至 20 位的电话号码'),
  rule_hours: sentences(
    'must begin before 24 and end at another hour; leave it out for the whole day',
    '必须在 24 点前开始，且起止不同；全天则不填',
  ),
  threshold_name: sentences('must be {name} for a threshold rule', '阈值规则的名称必须是 {name}'),
  threshold_nothing: sentences('must change at least one threshold', '至少要改一个阈值'),
  rule_version: sentences('must be a version from 1 to {newest}', '必须是 1 至 {newest} 的版本'),
  tenant_of_rules: sentences('must be that of the rules', '必须是规则所属的租户'),
  subscription_tenant: sentences(
    [
      'is not that of the subscription {consumer}, which is for {whose}; leave it out, ',
      'or register the subscription for that tenant',
    ],
    '不是订阅 {consumer} 的租户（该订阅用于{whose}）；请不填，或为该租户注册订阅',
  ),
  every_tenant: sentences('every tenant', '所有租户'),
  this_tenant: sentences('the tenant {tenant}', '租户 {tenant}'),
  consumer_taken: sentences(
    [
      '{name} is how the response rules of this program read events: choose another name; ',
      'only pause it, or set it going, with nothing but "enabled"',
    ],
    '{name} 是本程序响应规则读取事件所用的名称，请换一个；它只能用 "enabled" 暂停或恢复',
  ),
  device_password_missing: sentences(
    'needs a password, which is made when a device is registered; register it anew',
    '需要密码，而密码在登记设备时生成；请重新登记该设备',
  ),
  device_fields_foreign: sentences(
    'are for the kind webhook; leave them out, or choose that kind',
    '仅用于 webhook 类设备；请去掉，或选择该类型',
  ),
  device_type_path: sentences(
    'must say where the type of the event stands, such as alarm.type',
    '须说明事件类型在 JSON 中的位置，例如 alarm.type',
  ),
  device_address: sentences(
    'must be scheme, host and port, such as {like}: no user, password or path',
    '应为协议、主机和端口，例如 {like}，不含用户名、密码和路径',
  ),
  device_address_scheme: sentences(
    'of a device of the kind {kind} must begin with {schemes}',
    '{kind} 类设备的地址须以 {schemes} 开头',
  ),
  device_address_foreign: sentences(
    'is not for the kind {kind}, whose devices post; leave it out',
    '不适用于 {kind} 类设备，该类设备自行上报；请去掉',
  ),
  device_address_wanted: sentences(
    'is needed: devices of the kind {kind} are connected to',
    '必填：{kind} 类设备由本站主动连接',
  ),
  device_auth_pulled: sentences(
    'of a device that is connected to is basic, where the device knows no Digest, or is left out',
    '由本站主动连接的设备，仅在设备不支持 Digest 时填 basic，否则不填',
  ),
  device_pulled_only: sentences(
    'is for devices that are connected to: give the address, or leave it out',
    '仅用于由本站主动连接的设备；请填写地址，或去掉此项',
  ),
  device_password_again: sentences(
    'must be given again, since the address is of another host, for which it was not given',
    '地址换成了另一台主机，请重新填写密码',
  ),
  device_password_once: sentences(
    'is given either as it is or as the name of a secret, not both',
    '密码本身与密钥名称只能填写其一',
  ),
  device_pulled_rotate: sentences(
    'is of a device that is connected to, and has no path: give the password that is set in the device',
    '对应由本站主动连接的设备，没有上报路径；请改填设备中设置的密码',
  ),
  device_topic: sentences(
    'must be an MQTT topic of 200 characters at most, without blanks',
    '应为 MQTT 主题，最长 200 个字符，不含空格',
  ),
  device_topic_foreign: sentences(
    'is for the kinds frigate and axis, which come by a broker; leave it out',
    '仅用于通过 MQTT 代理上报的 frigate 和 axis 类设备；请去掉',
  ),
  device_topic_prefix: sentences(
    'of Frigate is its topic_prefix, such as frigate, without + and #',
    '对 Frigate 应填其 topic_prefix，例如 frigate，不含 + 和 #',
  ),
  device_api_foreign: sentences('is for the kind frigate; leave it out', '仅用于 frigate 类设备；请去掉'),
  device_user_wanted: sentences('is needed with a password', '填写密码时必须填写用户名'),
  device_certificate: sentences(
    'must be certificates in PEM, as a file with BEGIN CERTIFICATE holds them',
    '应为 PEM 格式的证书（文件中含 BEGIN CERTIFICATE）',
  ),
  device_fingerprint: sentences(
    'must be a SHA-256 fingerprint: 64 hexadecimal digits, with colons or without',
    '应为 SHA-256 指纹：64 位十六进制，可带冒号',
  ),
  device_network: sentences('is not a network such as 192.168.1.0/24', '不是网段，例如 192.168.1.0/24'),
  push_address_needed: sentences(
    'signs pushes; give push_url as well, or set both to null',
    '用于推送签名；请同时给出 push_url，或两者都设为 null',
  ),
  secret_of_machine: sentences(
    [
      'may not name a file or variable of the machine (file:, env: and cred: are for its configuration): ',
      'make a secret with {call} and give its name',
    ],
    ['不能指向本机的文件或变量（file:、env:、cred: 只用于本机配置）：', '请用 {call} 创建密钥并填写其名称'],
  ),
  secret_name: sentences(
    [
      'must be the name of a secret that was made with {call}, or ',
      '{prefix} and the name of a file in CORE_SECRETS_DIR; never the secret itself',
    ],
    ['必须是用 {call} 创建的密钥的名称，或 {prefix} 加 CORE_SECRETS_DIR 中的文件名；', '不能是密钥本身'],
  ),
  secret_unusable: sentences(
    'must name a secret that is bound to this; make one with {call} and {body}',
    '必须是绑定到此处的密钥；请用 {call} 和 {body} 创建',
  ),
  secret_address: sentences(
    'must be an http://, https://, smtp:// or smtps:// address at {host}, without user name or password',
    '必须是 {host} 的 http://、https://、smtp:// 或 smtps:// 地址，不含用户名和密码',
  ),
  key_tenant: sentences('is required, since this key is bound to none', '必填：该密钥未绑定租户'),
  dataset_cursor: sentences(
    'must be <update time with microseconds>|<primary key>, as nextCursor gives it',
    '必须是“更新时间（含微秒）|主键”，即 nextCursor 给出的形式',
  ),
  row_member: sentences('is a member of every row', '是每一行都有的成员'),
  fields_once: sentences('must name each field once', '每个字段只能写一次'),
};
