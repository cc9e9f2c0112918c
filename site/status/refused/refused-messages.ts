import { sentences } from '../../../common/message.ts';

/** The alarm of a camera all of whose messages are refused, and why they are. */
export const refusedMessages = {
  posts_refused: sentences(
    [
      'Everything that the camera {name} ({keyId}) sends is refused, {count} messages since {since}: ',
      '{reason} What it reports is not stored. Or somebody else sends in its name.',
    ],
    '摄像机 {name}（{keyId}）的上报全部被拒收，自 {since} 起共 {count} 条：{reason}其上报没有保存。也可能是他人冒用其名义上报。',
  ),
  posts_refused_wrong_password: sentences(
    'The password is wrong: type that of the device into the camera again.',
    '密码错误，请在摄像机中重新填写设备的密码。',
  ),
  posts_refused_wrong_network: sentences(
    'It comes from an address that is not allowed for it: see the networks of the device.',
    '来自不允许的地址，请查看该设备允许的网络。',
  ),
  posts_refused_unreadable: sentences('What it sends cannot be read.', '上报内容无法读取。'),
  posts_refused_too_large: sentences('What it sends is too large.', '上报内容过大。'),
  posts_refused_bad_signature: sentences(
    'The signature does not match: give the camera its key and secret again.',
    '签名不符，请在摄像机中重新填写密钥。',
  ),
  posts_refused_clock_off: sentences(
    'Its clock is more than five minutes off: set it, and give it a time server.',
    '时钟相差超过五分钟，请校正时间并设置时间服务器。',
  ),
  posts_refused_invalid: sentences(
    'What it sends does not have the form of events; each answer names what is wrong.',
    '上报内容不符合事件的格式，每次应答都指明了错误。',
  ),
};
