import type { Language } from '../../common/message.ts';

const en = {
  gateway: '<address of this gateway>',
  told: (addresses: readonly string[], code: string) => `Open in a browser of the site's network

${addresses.map((one) => `  ${one}\n`).join('')}
and type the code, which is good once and for ten minutes:

  ${code}
`,
  scan: 'Or scan this with a telephone in that network; it opens the page and logs in:',
  onlyHere:
    'Note: only this machine reaches that address. For the network set CORE_LISTEN to 0.0.0.0 with the ' +
    'port, and restart the site.',
};

const zh: typeof en = {
  gateway: '<本网关的地址>',
  told: (addresses, code) => `请在站点网络中用浏览器打开

${addresses.map((one) => `  ${one}\n`).join('')}
并输入登录码，十分钟内有效，只能用一次：

  ${code}
`,
  scan: '或用站点网络中的手机扫描下面的二维码，打开页面并自动登录：',
  onlyHere:
    '注意：只有本机能访问该地址。如需从网络访问，请将 CORE_LISTEN 设为 0.0.0.0 加端口，并重启站点服务。',
};

export const loginMessages: Record<Language, typeof en> = { en, zh };
