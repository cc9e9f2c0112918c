import { sentences } from '../../../common/message.ts';

/** How it stands with the connection to a device that is connected to. */
export const connectionMessages = {
  device_password_refused: sentences(
    [
      '{host} refuses the user name or the password, and is tried seldom so that it does not lock the ',
      'account; give the right one: fieldline-site node password KEY',
    ],
    '{host} 拒绝了用户名或密码；为避免账号被锁定，将降低重试频率。请用 fieldline-site node password 密钥ID 填写正确的密码',
  ),
  device_password_wanted: sentences(
    '{host} asks for a user name and a password; give them: fieldline-site node password KEY',
    '{host} 要求用户名和密码；请用 fieldline-site node password 密钥ID 填写',
  ),
  device_password_unusable: sentences(
    'the password that is kept cannot be opened; give it again: fieldline-site node password KEY',
    '已保存的密码无法读取；请用 fieldline-site node password 密钥ID 重新填写',
  ),
  device_password_open: sentences(
    [
      '{host} wants the password in the clear (Basic): switch its authentication to Digest, or allow it ',
      'with --auth basic',
    ],
    '{host} 要求明文密码（Basic）；请在设备中改为 Digest，或用 --auth basic 允许',
  ),
  device_right_missing: sentences(
    '{host} knows the user but does not let it read events (403); give the user that right in the device',
    '{host} 认可该用户，但不允许读取事件（403）；请在设备中为该用户授权',
  ),
  device_path_unknown: sentences(
    '{host} does not know {path} ({status}); see whether the kind of the device is right',
    '{host} 没有 {path}（{status}）；请核对设备类型',
  ),
  device_status: sentences(
    '{host} answers {path} with {status}',
    '{host} 对 {path} 的应答为 {status}，请检查设备',
  ),
  device_redirects: sentences(
    '{host} sends elsewhere ({status}, {to}), which is not followed; give the address that it means',
    '{host} 要求转到别处（{status}，{to}），系统不会跟随；请改填正确的地址',
  ),
  device_answer_wrong: sentences(
    '{host} answers with what cannot be read: {reason}',
    '{host} 的应答无法解析：{reason}',
  ),
  device_silent: sentences(
    '{host} has said nothing for {seconds} seconds although the connection stands; it is connected to anew',
    '{host} 连接未断但已 {seconds} 秒没有数据，正在重新连接',
  ),
  device_turn_over: sentences(
    '{host} did not come to the end of a large message while other devices waited; it is connected to anew',
    '{host} 的大消息迟迟未发完，而其他设备在等待；正在重新连接',
  ),
  device_closed: sentences('{host} ended the connection', '{host} 断开了连接，正在重新连接'),
  device_certificate_unknown: sentences(
    [
      'the certificate of {host} is not trusted here; if its SHA-256 fingerprint in the device is ',
      '{fingerprint}, give it with --tls-fingerprint',
    ],
    '本机不信任 {host} 的证书；如设备中显示的 SHA-256 指纹为 {fingerprint}，请用 --tls-fingerprint 指定',
  ),
  device_certificate_names: sentences(
    [
      'the certificate of {host} is trusted, but it is for other names: {names}; write the address with one ',
      'of them, have a certificate made that names this one, or, if its SHA-256 fingerprint in the device ',
      'is {fingerprint}, give that with --tls-fingerprint',
    ],
    [
      '{host} 的证书可信，但不含此地址，证书中的名称：{names}；请改用其中的名称，或换发包含此地址的证书；',
      '如设备中显示的 SHA-256 指纹为 {fingerprint}，也可用 --tls-fingerprint 指定',
    ],
  ),
  device_certificate_changed: sentences(
    '{host} has another certificate than the one that was given, with the SHA-256 fingerprint {fingerprint}',
    '{host} 的证书与登记的不一致，现在的 SHA-256 指纹为 {fingerprint}',
  ),
  device_topic_refused: sentences(
    '{host} does not let this user subscribe to {topic}; give the user that right in the broker',
    '{host} 不允许该用户订阅 {topic}；请在 MQTT 代理中授权',
  ),
  device_program_gone: sentences(
    'the broker is there, but {name} is not: it said {word}; see whether it runs',
    'MQTT 代理正常，但 {name} 不在线（{word}）；请检查其是否在运行',
  ),
  device_program_old: sentences(
    '{name} {version} is there, but tells no alarms in this form; it needs {needed} or later',
    '{name} {version} 在线，但不以此方式上报报警；需要 {needed} 或更高版本',
  ),
  device_clock_refused: sentences(
    '{host} refuses the time of the request; set its clock and zone, and give it an NTP server',
    '{host} 不接受请求中的时间；请校正设备的时间和时区，并设置 NTP 服务器',
  ),
  device_onvif_off: sentences(
    [
      '{host} does not speak ONVIF under {path}; switch ONVIF on in the device, and give the port that the ',
      'device has for it',
    ],
    '{host} 在 {path} 没有 ONVIF 服务；请在设备中启用 ONVIF，并填写其 ONVIF 端口',
  ),
  device_onvif_right: sentences(
    [
      '{host} knows the user but does not let it subscribe to events; give the ONVIF user the role ',
      'Operator, or Administrator where that does not do',
    ],
    '{host} 认可该用户，但不允许订阅事件；请将该 ONVIF 用户的角色设为操作员，仍不行时设为管理员',
  ),
  device_pullpoint_missing: sentences(
    [
      '{host} speaks ONVIF but has no events by PullPoint (Profile S or T); update its firmware, or ',
      'register it as another kind',
    ],
    '{host} 支持 ONVIF，但不支持 PullPoint 事件（Profile S 或 T）；请升级固件，或改用其他设备类型登记',
  ),
  device_subscription_refused: sentences(
    [
      '{host} gives no subscription to its events: {reason}; other programs may hold as many as it has, ',
      'and it may need a restart',
    ],
    '{host} 拒绝了事件订阅：{reason}；可能其订阅数已被其他程序占满，必要时请重启设备',
  ),
  device_subscription_ended: sentences(
    '{host} forgets the subscription to its events at once; restart it, or update its firmware',
    '{host} 的事件订阅刚建立就失效；请重启设备或升级固件',
  ),
  device_not_stored: sentences(
    'what {host} said waits, since this site cannot store it: {reason}',
    '本站暂时无法保存 {host} 的消息，正在等待：{reason}',
  ),
  device_not_connected: sentences(
    'There is no connection to {name}, and its alarms do not come: {reason}',
    '与 {name} 没有连接，收不到其报警：{reason}',
  ),
};
