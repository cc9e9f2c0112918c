import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    address: { schemes: ['http:', 'https:'], only: true },
  },
  menu: {
    pulled: {
      en:
        'Camera: switch ONVIF on (often Network > Advanced > Integration Protocol, or Platform ' +
        'Access), add an ONVIF user with the role Operator, and set clock and zone, best by NTP. Try ' +
        'it: fieldline-site node try KEY.',
      zh:
        '摄像机：启用 ONVIF（常见于 网络 > 高级配置 > 集成协议 或 平台接入），添加角色为操作员的 ONVIF 用户，并校正时间和时区（建议使用 NTP）。试用：' +
        'fieldline-site node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).onvif,
  connector: async () => (await import('./connector.ts')).pullPoint,
  snapshot: async () => (await import('./snapshot.ts')).onvifSnapshot,
};
