import { type Say, sentences } from '../../common/message.ts';

export const deviceCommandMessages = {
  type: sentences(
    'Type this into the device; path and password are secrets, and are shown this once.',
    '请将以下内容填入设备；路径和密码均为机密，只显示这一次。',
  ),
  limits: sentences(
    [
      'A message may have 12 MiB: of a larger one the alarm is stored, and pictures that do not ',
      'fit are lost.',
    ],
    '单条消息上限为 12 MiB：超过时报警照常保存，装不下的图片会丢失。',
  ),
  connects: sentences(
    [
      'The site connects to the device now; whether it is let ',
      'in: fieldline-site node try KEY, or node list.',
    ],
    '本站正在连接该设备；结果请看 fieldline-site node try 密钥ID 或 node list。',
  ),
  passwordGiven: sentences(
    'The password is kept, and the device is connected to with it now.',
    '密码已保存，正在用它连接设备。',
  ),
  ask: sentences('Password of the device: ', '设备密码：'),
  noFile: sentences('{file} cannot be read: {why}', '无法读取 {file}：{why}'),
  noPassword: sentences(
    '--user is missing: a password belongs to a user',
    '缺少 --user：密码须与用户名一同填写',
  ),
  conditions_connecting: sentences('connecting', '正在连接'),
  conditions_connected: sentences('connected', '已连接'),
  conditions_silent: sentences('silent', '无数据'),
  conditions_refused: sentences('refused', '被拒绝'),
  conditions_unreachable: sentences('not reachable', '无法到达'),
  conditions_tls: sentences('TLS', 'TLS 问题'),
  conditions_clock: sentences('clock', '时钟问题'),
  conditions_broken: sentences('answers wrongly', '应答异常'),
  conditions_not_stored: sentences('not stored', '未保存'),
  heard: sentences('last heard {age} ago', '{age}前有数据'),
  neverHeard: sentences('nothing heard yet', '尚无数据'),
  doubtful: sentences(
    [
      '{count} {count|event may be of an alarm|events may be of alarms} ',
      'that stood already (payload.maybe_same_as)',
    ],
    '{count} 个事件可能属于已在持续的报警（payload.maybe_same_as）',
  ),
  rotated: sentences(
    'The old path and password are no longer valid. Type this into the device; it is shown this once.',
    '旧路径和旧密码已失效。请将以下内容填入设备，只显示这一次。',
  ),
  keyId: sentences('key id', '密钥 ID'),
  host: sentences('server', '服务器'),
  or: sentences('or', '或'),
  port: sentences('port', '端口'),
  path: sentences('path (URL)', '路径 URL'),
  address: sentences('address', '地址'),
  user: sentences('user name', '用户名'),
  password: sentences('password', '密码'),
  gateway: sentences('<address of this gateway>', '<本网关地址>'),
  waiting: sentences(
    [
      'Waiting {seconds} seconds for a message; let the ',
      'device raise an alarm now. The look stores nothing.',
    ],
    '等待 {seconds} 秒，请让设备触发一次报警。查看本身不保存任何内容。',
  ),
  nothing: sentences(
    [
      'Nothing came. Check the address and path in the ',
      'device, its network, and fieldline-site node list.',
    ],
    '没有收到消息。请检查设备中的地址和路径、网络，以及 fieldline-site node list。',
  ),
  nothingPulled: sentences(
    ['Nothing came meanwhile. Let the device raise an ', 'alarm, and see whether it is set up to report it.'],
    '期间没有收到消息。请让设备触发报警，并检查设备中该事件是否已启用。',
  ),
  heartbeats: sentences('  heartbeats: {count}', '  心跳：{count}'),
  unreadable: sentences('  cannot be read: {reason}', '  无法解析：{reason}'),
  becomes: sentences('  becomes:', '  将成为：'),
  ends: sentences('  the end of this alarm, no event of its own:', '  该报警结束，不产生新事件：'),
  unknownType: sentences(
    '(the type is in no table; give it one with --type)',
    '（类型不在对照表中；可用 --type 指定）',
  ),
  noPair: sentences('"{word}" is no NAME=VALUE', '“{word}”不是 名称=值 的形式'),
};

export type DeviceCommandMessages = Say<typeof deviceCommandMessages>;
