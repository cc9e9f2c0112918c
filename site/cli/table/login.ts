import { siteCommand } from '../context.ts';

export const loginCommands = [
  siteCommand({
    name: 'login',
    summary: { en: 'a short code to log in to the page', zh: '显示登录状态页面的登录码' },
    description: {
      en: 'The code is good once and for ten minutes. It is shown as a QR code too, for a telephone.',
      zh: '登录码十分钟内有效，只能用一次；同时显示二维码，供手机扫描。',
    },
    options: { 'no-qr': { summary: { en: 'without the QR code', zh: '不显示二维码' } } },
    run: async (typed, context) => (await import('../login.ts')).showLogin(typed, context),
  }),
];
