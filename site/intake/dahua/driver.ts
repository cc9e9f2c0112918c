import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    address: { schemes: ['http:', 'https:'], only: true },
  },
  menu: {
    pulled: {
      en:
        'Camera or recorder: Setup > System > Account: add a user of the group "user" who may see ' +
        'live video and events; then switch on each alarm under Setup > Event. A recorder tells for ' +
        'all its channels. Try it: fieldline-site node try KEY.',
      zh:
        '摄像机或录像机：设置 > 系统 > 用户管理，添加一个可预览并可查看事件的用户；再到 设置 > 事件 中启用各项报警。录像机会上报其全部通道。试用：fieldline-site ' +
        'node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).dahua,
  connector: async () => (await import('./connector.ts')).eventManager,
  snapshot: async () => {
    const { snapshotPath } = await import('./parse.ts');
    return () => Promise.resolve(snapshotPath('1'));
  },
};
