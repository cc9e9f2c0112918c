import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    address: { schemes: ['mqtt:', 'mqtts:'], only: true },
    topic: 'prefix',
    api: true,
  },
  menu: {
    pulled: {
      en:
        'Frigate: in its configuration, mqtt with enabled: true and the host of the broker, and qos: ' +
        '1; record enabled, since reviews come of recordings. Try it: fieldline-site node try KEY.',
      zh:
        'Frigate：在其配置的 mqtt 中设置 enabled: true、代理的 host 和 qos: 1，并启用 record（review 依赖录像）。试用：' +
        'fieldline-site node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).frigate,
  connector: async () => (await import('./connector.ts')).frigateConnector,
  feedback: async () => (await import('./verdict.ts')).tellFrigate,
};
