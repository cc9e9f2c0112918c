import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {},
  menu: {
    posts: {
      en:
        'The sender posts CloudEvents 1.0 there: binary, structured or batched. Try it: ' +
        'fieldline-site node try KEY.',
      zh: '发送方向该地址提交 CloudEvents 1.0（二进制、结构化或批量）。试用：fieldline-site node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).cloudEvents,
};
