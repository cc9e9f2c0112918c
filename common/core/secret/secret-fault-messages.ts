import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a secret, or with a reference to one. Each is read after the path of the member. */
export const secretFaultMessages = {
  secret_of_machine: sentences(
    [
      'may not name a file or variable of the machine (file:, env: and cred: are for its configuration): ',
      'make a secret with {call} and give its name',
    ],
    ['不能指向本机的文件或变量（file:、env:、cred: 只用于本机配置）：', '请用 {call} 创建密钥并填写其名称'],
  ),
  secret_name: sentences(
    [
      'must be the name of a secret that was made with {call}, or ',
      '{prefix} and the name of a file in CORE_SECRETS_DIR; never the secret itself',
    ],
    ['必须是用 {call} 创建的密钥的名称，或 {prefix} 加 CORE_SECRETS_DIR 中的文件名；', '不能是密钥本身'],
  ),
  secret_unusable: sentences(
    'must name a secret that is bound to this; make one with {call} and {body}',
    '必须是绑定到此处的密钥；请用 {call} 和 {body} 创建',
  ),
  secret_address: sentences(
    'must be an http://, https://, smtp:// or smtps:// address at {host}, without user name or password',
    '必须是 {host} 的 http://、https://、smtp:// 或 smtps:// 地址，不含用户名和密码',
  ),
};

export const { fault, saidOf, saying } = faultsOf(secretFaultMessages);
