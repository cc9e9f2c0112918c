import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with the settings of a device. Each is read after the path of the member. */
export const deviceFaultMessages = {
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
};

export const { fault, faultAt, saying } = faultsOf(deviceFaultMessages);
