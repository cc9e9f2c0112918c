import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    fields: true,
  },
  menu: {
    posts: {
      en: 'The sender posts JSON there. Try it: fieldline-site node try KEY.',
      zh: '发送方向该地址提交 JSON。试用：fieldline-site node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).webhook,
};
