import { type Say, sentences } from '../../common/message.ts';

export const nodeMessages = {
  type: sentences(
    'Type this into the camera; the secret is shown this once.',
    '请将以下内容填入摄像机；密钥只显示这一次。',
  ),
  address: sentences('address', '地址'),
  or: sentences('or', '或'),
  keyId: sentences('key id', '密钥 ID'),
  secret: sentences('secret', '密钥'),
  gateway: sentences('<address of this gateway>', '<本网关地址>'),
  signing: sentences(
    [
      'Each request carries X-Core-Key, X-Core-Timestamp and X-Core-Signature; how they are made: ',
      'man fieldline-site, SIGNED REQUESTS; from the source folder, common/core/README.md.',
    ],
    [
      '每个请求须带 X-Core-Key、X-Core-Timestamp 和 X-Core-Signature；签名方法见 man fieldline-site 的 SIGNED ',
      'REQUESTS 一节；源码目录中见 common/core/README.md。',
    ],
  ),
  nameInUse: sentences(
    [
      'Note: the tenant {tenant} has a camera {name} already, with the key {keyId}. If that is the ',
      'same one, remove the key that it does not use: fieldline-site node remove KEY',
    ],
    '注意：租户 {tenant} 已有名为 {name} 的摄像机，密钥 ID 为 {keyId}。如为同一台，请移除不用的密钥：fieldline-site node remove 密钥ID',
  ),
  tenantNotAllowed: sentences(
    [
      'Note: headquarters does not take events of the tenant {tenant} from this site, so they would ',
      'all be parked. It takes those of: {allowed}. At headquarters: {command}',
    ],
    [
      '注意：总部不接收本站租户 {tenant} 的事件，它们将全部被搁置。总部允许的租户：{allowed}。',
      '请在总部执行：{command}',
    ],
  ),
  comma: sentences(', ', '、'),
  tenantsUnknown: sentences(
    [
      'Note: headquarters has not said yet whose events it takes from this site; whether those of ',
      '{tenant} are among them could not be looked at.',
    ],
    '注意：总部尚未告知允许本站上传哪些租户的事件，无法核对 {tenant} 是否在内。',
  ),
  onlyHere: sentences(
    [
      'Note: this site listens on {address}, which only this machine reaches. For cameras of the ',
      'network set CORE_LISTEN to an address of the network, or to 0.0.0.0 with the port, and ',
      'restart the site.',
    ],
    '注意：本站监听 {address}，只有本机能访问。要接入网络中的摄像机，请将 CORE_LISTEN 设为网络地址或 0.0.0.0 加端口，并重启站点。',
  ),
  none: sentences(
    'No camera is registered; add one with: fieldline-site node add',
    '未登记摄像机；用 fieldline-site node add 登记',
  ),
  head: sentences(
    'KEY | TENANT | NAME | KIND | SINCE | OLD SECRET UNTIL | CONNECTION',
    '密钥 ID | 租户 | 名称 | 类型 | 登记时间 | 旧密钥有效至 | 连接',
  ),
  oldSecretEnds: sentences('The old secret is no longer valid.', '旧密钥已失效。'),
  overlap: sentences(
    'The old secret stays valid for {hours} hours.',
    '旧密钥在 {hours} 小时内仍有效，请在此之前更换摄像机中的密钥。',
  ),
  removed: sentences(
    '{keyId} is removed; its requests are refused from now on.',
    '{keyId} 已移除，今后拒绝它的请求。',
  ),
};

export type NodeMessages = Say<typeof nodeMessages>;
