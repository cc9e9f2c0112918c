import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a channel of notifications. Each is read after the path of the member. */
export const channelFaultMessages = {
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
  time_of_day: sentences('must be a time of day as 22:30', '必须是 22:30 这样的时刻'),
  time_zone: sentences(
    'must be the name of a time zone as Asia/Shanghai',
    '必须是 Asia/Shanghai 这样的时区名',
  ),
  telephone: sentences('must be a telephone number of 5 to 20 digits', '必须是 5 至 20 位的电话号码'),
};

export const { faultAt, saying } = faultsOf(channelFaultMessages);
