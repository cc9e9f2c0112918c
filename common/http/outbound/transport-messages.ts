import { type MessageOf, sentences } from '../../message.ts';

/**
 * Why a request got no whole answer. `system` is the operating system's own code, `host` has the port where
 * one is named.
 */
export const transportMessages = {
  nothing_listens: sentences(
    'nothing listens at {host} ({system}); check the address and port, or wait until it is up again',
    '{host} 没有程序监听（{system}），请核对地址和端口，或等对方恢复',
  ),
  name_unknown: sentences(
    'the name of {host} is not known ({system}); check the address, the network and the DNS',
    '无法解析域名 {host}（{system}），请核对地址，检查网络和 DNS',
  ),
  name_not_looked_up: sentences(
    'the name of {host} could not be looked up ({system}); check the network and the DNS',
    '暂时无法查询域名 {host}（{system}），请检查网络和 DNS',
  ),
  no_way: sentences(
    'this machine has no route to {host} ({system}); check its cable and router',
    '本机无法路由到 {host}（{system}），请检查网线、路由器或移动网络',
  ),
  host_silent: sentences(
    '{host} does not answer ({system}); check the network and the firewall',
    '{host} 没有应答（{system}），请检查网络和防火墙',
  ),
  broke_off: sentences(
    '{host} broke off its answer ({system}); check the network',
    '{host} 的应答中断（{system}），请检查网络',
  ),
  // A peer that speaks only TLS just closes a connection without it.
  closed_early: sentences(
    [
      '{host} closed the connection before it answered ({system}); check the network, and whether the ',
      'address should begin with https:// or http://',
    ],
    '{host} 未应答就关闭了连接（{system}），请检查网络，并核对地址应以 https:// 还是 http:// 开头',
  ),
  no_tls: sentences(
    [
      '{host} does not speak TLS, as https:// asks for ({system}); check the port, or write the address ',
      'with http://',
    ],
    '{host} 不使用 TLS，而地址是 https://（{system}），请核对端口，或把地址改为 http://',
  ),
  issuer_unknown: sentences(
    [
      'the certificate of {host} is of an issuer that is not known here ({system}); ',
      "give the issuer's certificate: at a site with fieldline-site setup --ca FILE, otherwise in ",
      'NODE_EXTRA_CA_CERTS',
    ],
    [
      '本机不信任 {host} 的证书颁发者（{system}），请提供颁发者的证书：',
      '在站点上执行 fieldline-site setup --ca 文件，其他情况用 NODE_EXTRA_CA_CERTS 指定',
    ],
  ),
  certificate_names: sentences(
    [
      'the certificate of {host} is for other names ({system}): {names}; write the address with one of ',
      'them, or have a certificate made that names this one',
    ],
    '{host} 的证书不含此地址（{system}），证书中的名称：{names}；请改用其中的名称，或换发包含此地址的证书',
  ),
  certificate_time: sentences(
    [
      'the certificate of {host} is not valid at the time that the clock of this machine shows ({system}); ',
      'see whether that clock is right',
    ],
    '按本机时钟，{host} 的证书不在有效期内（{system}）；请先核对本机时间',
  ),
  tls_refused: sentences(
    'the certificate or the TLS of {host} is not accepted ({system}): {reason}',
    '{host} 的证书或 TLS 连接不被接受（{system}），请核对地址和证书：{reason}',
  ),
  headers_too_long: sentences(
    'the headers of {host} are longer than is read ({system}); check the address',
    '{host} 的应答头过长（{system}），请核对地址',
  ),
  no_http: sentences(
    '{host} does not answer in HTTP ({system}); check the address and port',
    '{host} 的应答不是 HTTP（{system}），请核对地址和端口',
  ),
  body_not_as_told: sentences(
    'the content to be sent does not have the announced {size} bytes',
    '要发送的内容与声明的 {size} 字节不符',
  ),
  given_up: sentences('The operation was aborted', '操作已中止'),
  answer_late: sentences(
    'no answer within {ms} ms; check the network and the firewall',
    '{ms} 毫秒内没有应答，请检查网络和防火墙',
  ),
  connection_late: sentences(
    'no connection within {ms} ms; check the network and the firewall',
    '{ms} 毫秒内没有连通，请检查网络和防火墙',
  ),
  answer_cut: sentences('the answer broke off; check the network', '应答中断，请检查网络'),
  answer_too_large: sentences(
    'the answer is larger than {max} bytes; check the address',
    '应答超过 {max} 字节，请核对地址',
  ),
  address_outside: sentences('{host} lies outside the allowed networks', '{host} 不在允许的网络范围内'),
  name_outside: sentences(
    '{host} is at {address}, which lies outside the allowed networks',
    '{host} 的地址 {address} 不在允许的网络范围内',
  ),
  connection_failed: sentences('{reason}', '连接失败：{reason}'),
  stopped: sentences('stopped', '已停止'),
};

export type TransportFault = MessageOf<typeof transportMessages>;
