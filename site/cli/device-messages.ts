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
};

export type DeviceCommandMessages = typeof en;
export const deviceCommandMessages: Record<Language, DeviceCommandMessages> = { en, zh };
