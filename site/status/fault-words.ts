/** What a failed try of the uplink means and what to do, in Chinese, by a pattern of its message, which is in English and has the particulars. */
const chinese: readonly (readonly [pattern: string, text: string])[] = [
  ['refused the time', '本机时钟与总部相差过大，请校时'],
  ['refused the key', '总部不认识密钥，请核对密钥或在总部重新发放'],
  ['does not let this site in', '总部不接纳本站，请核对站点名称和总部的登记'],
  ['does not speak this protocol', '总部版本过旧，请升级总部'],
  ['there is no uplink at', '该地址不是总部，请核对地址'],
  ['ECONNREFUSED', '总部地址没有程序监听，请核对地址和端口，或等总部恢复'],
  ['ENOTFOUND|EAI_AGAIN', '无法解析总部的域名，请检查网络和 DNS'],
  ['EHOSTUNREACH|ENETUNREACH|ENETDOWN', '没有到总部的网络，请检查网线、路由器或移动网络'],
  ['ETIMEDOUT|no connection within|no answer within', '总部没有应答，请检查网络和防火墙'],
  ['ECONNRESET|EPIPE|broke off|hang up', '连接中断，请检查网络'],
  ['TLS|certificate|CERT_', '证书或 TLS 不被接受，请核对地址和证书'],
  ['headquarters answered (?:429|5\\d\\d)', '总部暂时不能接收'],
  ['CORE_UPLINK_KEY_REF', '读不到总部密钥，请用 fieldline-site setup 重新配置'],
];

/** null where there is nothing but the message. */
export const chineseFault = (message: string): string | null => chinese.find(([pattern]) => new RegExp(pattern).test(message))?.[1] ?? null;
