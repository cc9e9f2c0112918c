import { sentences } from '../../common/message.ts';

export const loginMessages = {
  gateway: sentences('<address of this gateway>', '<本网关的地址>'),
  told: sentences(
    [
      "Open in a browser of the site's network\n",
      '\n',
      '{addresses}\n',
      'and type the code, which is good once and for ten minutes:\n',
      '\n',
      '  {code}\n',
    ],
    [
      '请在站点网络中用浏览器打开\n',
      '\n',
      '{addresses}\n',
      '并输入登录码，十分钟内有效，只能用一次：\n',
      '\n',
      '  {code}\n',
    ],
  ),
  scan: sentences(
    'Or scan this with a telephone in that network; it opens the page and logs in:',
    '或用站点网络中的手机扫描下面的二维码，打开页面并自动登录：',
  ),
  onlyHere: sentences(
    [
      'Note: only this machine reaches that address. For the network set CORE_LISTEN to ',
      '0.0.0.0 with the port, and restart the site.',
    ],
    '注意：只有本机能访问该地址。如需从网络访问，请将 CORE_LISTEN 设为 0.0.0.0 加端口，并重启站点服务。',
  ),
};
