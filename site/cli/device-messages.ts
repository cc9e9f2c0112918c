import type { Language } from '../../common/message.ts';

const en = {
  type: 'Type this into the device; path and password are secrets, and are shown this once.',
  limits:
    'A message may have 12 MiB: of a larger one the alarm is stored, and pictures that do not fit are lost.',
  connects:
    'The site connects to the device now; whether it is let in: fieldline-site node try KEY, or node list.',
  passwordGiven: 'The password is kept, and the device is connected to with it now.',
  ask: 'Password of the device: ',
  again: 'Once more: ',
  noTerminal: 'there is no terminal to ask for the password; give --password-stdin and pipe it in',
  differ: 'the two passwords differ; nothing was changed',
  brokenOff: 'cancelled; nothing was changed',
  noFile: (file: string, why: string) => `${file} cannot be read: ${why}`,
  noPassword: '--user is missing: a password belongs to a user',
  conditions: {
    connecting: 'connecting',
    connected: 'connected',
    silent: 'silent',
    refused: 'refused',
    unreachable: 'not reachable',
    tls: 'TLS',
    clock: 'clock',
    broken: 'answers wrongly',
    not_stored: 'not stored',
  },
  heard: (age: string) => `last heard ${age} ago`,
  neverHeard: 'nothing heard yet',
  doubtful: (count: number) =>
    count === 1
      ? '1 event may be of an alarm that stood already (payload.maybe_same_as)'
      : `${count} events may be of alarms that stood already (payload.maybe_same_as)`,
  rotated: 'The old path and password are no longer valid. Type this into the device; it is shown this once.',
  keyId: 'key id',
  host: 'server',
  or: 'or',
  port: 'port',
  path: 'path (URL)',
  address: 'address',
  user: 'user name',
  password: 'password',
  gateway: '<address of this gateway>',
  waiting: (seconds: number) =>
    `Waiting ${seconds} seconds for a message; let the device raise an alarm now. The look stores nothing.`,
  nothing:
    'Nothing came. Check the address and path in the device, its network, and fieldline-site node list.',
  nothingPulled:
    'Nothing came meanwhile. Let the device raise an alarm, and see whether it is set up to report it.',
  heartbeats: (count: number) => `  heartbeats: ${count}`,
  unreadable: (reason: string) => `  cannot be read: ${reason}`,
  becomes: (state: string): string =>
    state === 'ended' ? '  the end of this alarm, no event of its own:' : '  becomes:',
  unknownType: '(the type is in no table; give it one with --type)',
  noPair: (word: string) => `"${word}" is no NAME=VALUE`,
  menuPulled: {
    hikvision:
      'Camera: give the user the right to operate and see alarms (Remote: Notify Surveillance Center), and ' +
      'tick "Notify Surveillance Center" in the linkage of each event.',
    dahua:
      'Camera or recorder: Setup > System > Account: add a user of the group "user" who may see live video ' +
      'and events; then switch on each alarm under Setup > Event. A recorder tells for all its channels. ' +
      'Try it: fieldline-site node try KEY.',
    frigate:
      'Frigate: in its configuration, mqtt with enabled: true and the host of the broker, and qos: 1; ' +
      'record enabled, since reviews come of recordings. Try it: fieldline-site node try KEY.',
    axis:
      'Camera: System > MQTT > MQTT client, with the broker; then MQTT publication: tick "Include serial ' +
      'number in payload", and add a condition for each event, with QoS 1. ' +
      'Try it: fieldline-site node try KEY.',
    onvif:
      'Camera: switch ONVIF on (often Network > Advanced > Integration Protocol, or Platform Access), add ' +
      'an ONVIF user with the role Operator, and set clock and zone, best by NTP. ' +
      'Try it: fieldline-site node try KEY.',
  } as Readonly<Record<string, string>>,
  menu: {
    hikvision:
      'Camera: Configuration > Network > Advanced Settings > HTTP Listening (Alarm Server); then tick ' +
      '"Notify Surveillance Center" in the linkage of each event. Try it: fieldline-site node try KEY.',
    cloudevents:
      'The sender posts CloudEvents 1.0 there: binary, structured or batched. Try it: ' +
      'fieldline-site node try KEY.',
    webhook: 'The sender posts JSON there. Try it: fieldline-site node try KEY.',
  } as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  type: '请将以下内容填入设备；路径和密码均为机密，只显示这一次。',
  limits: '单条消息上限为 12 MiB：超过时报警照常保存，装不下的图片会丢失。',
  connects: '本站正在连接该设备；结果请看 fieldline-site node try 密钥ID 或 node list。',
  passwordGiven: '密码已保存，正在用它连接设备。',
  ask: '设备密码：',
  again: '再次输入：',
  noTerminal: '没有终端可以输入密码；请加 --password-stdin 并从管道输入',
  differ: '两次输入不一致，没有更改',
  brokenOff: '已中断，没有更改',
  noFile: (file, why) => `无法读取 ${file}：${why}`,
  noPassword: '缺少 --user：密码须与用户名一同填写',
  conditions: {
    connecting: '正在连接',
    connected: '已连接',
    silent: '无数据',
    refused: '被拒绝',
    unreachable: '无法到达',
    tls: 'TLS 问题',
    clock: '时钟问题',
    broken: '应答异常',
    not_stored: '未保存',
  },
  heard: (age) => `${age}前有数据`,
  neverHeard: '尚无数据',
  doubtful: (count) => `${count} 个事件可能属于已在持续的报警（payload.maybe_same_as）`,
  rotated: '旧路径和旧密码已失效。请将以下内容填入设备，只显示这一次。',
  keyId: '密钥 ID',
  host: '服务器',
  or: '或',
  port: '端口',
  path: '路径 URL',
  address: '地址',
  user: '用户名',
  password: '密码',
  gateway: '<本网关地址>',
  waiting: (seconds) => `等待 ${seconds} 秒，请让设备触发一次报警。查看本身不保存任何内容。`,
  nothing: '没有收到消息。请检查设备中的地址和路径、网络，以及 fieldline-site node list。',
  nothingPulled: '期间没有收到消息。请让设备触发报警，并检查设备中该事件是否已启用。',
  heartbeats: (count) => `  心跳：${count}`,
  unreadable: (reason) => `  无法解析：${reason}`,
  becomes: (state) => (state === 'ended' ? '  该报警结束，不产生新事件：' : '  将成为：'),
  unknownType: '（类型不在对照表中；可用 --type 指定）',
  noPair: (word) => `“${word}”不是 名称=值 的形式`,
  menuPulled: {
    hikvision: '摄像机：为该用户开通“远程：上传中心/报警”权限，并在每个事件的联动方式中勾选“上传中心”。',
    dahua:
      '摄像机或录像机：设置 > 系统 > 用户管理，添加一个可预览并可查看事件的用户；再到 设置 > 事件 中启用各项报警。' +
      '录像机会上报其全部通道。试用：fieldline-site node try 密钥ID。',
    frigate:
      'Frigate：在其配置的 mqtt 中设置 enabled: true、代理的 host 和 qos: 1，并启用 record（review 依赖录像）。' +
      '试用：fieldline-site node try 密钥ID。',
    axis:
      '摄像机：系统 > MQTT > MQTT 客户端，填写代理；再到 MQTT 发布中勾选“在负载中包含序列号”，' +
      '为每个事件添加条件，QoS 选 1。试用：fieldline-site node try 密钥ID。',
    onvif:
      '摄像机：启用 ONVIF（常见于 网络 > 高级配置 > 集成协议 或 平台接入），添加角色为操作员的 ONVIF 用户，' +
      '并校正时间和时区（建议使用 NTP）。试用：fieldline-site node try 密钥ID。',
  },
  menu: {
    hikvision:
      '摄像机：配置 > 网络 > 高级配置 > HTTP 监听（报警主机）；并在每个事件的联动方式中勾选“上传中心”。试用：fieldline-site node try 密钥ID。',
    cloudevents:
      '发送方向该地址提交 CloudEvents 1.0（二进制、结构化或批量）。试用：fieldline-site node try 密钥ID。',
    webhook: '发送方向该地址提交 JSON。试用：fieldline-site node try 密钥ID。',
  },
};

export type DeviceCommandMessages = typeof en;
export const deviceCommandMessages: Record<Language, DeviceCommandMessages> = { en, zh };
