import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    address: { schemes: ['http:', 'https:'], only: false },
  },
  menu: {
    posts: {
      en:
        'Camera: Configuration > Network > Advanced Settings > HTTP Listening (Alarm Server); then ' +
        'tick "Notify Surveillance Center" in the linkage of each event. Try it: fieldline-site node ' +
        'try KEY.',
      zh: '摄像机：配置 > 网络 > 高级配置 > HTTP 监听（报警主机）；并在每个事件的联动方式中勾选“上传中心”。试用：fieldline-site node try 密钥ID。',
    },
    pulled: {
      en:
        'Camera: give the user the right to operate and see alarms (Remote: Notify Surveillance ' +
        'Center), and tick "Notify Surveillance Center" in the linkage of each event.',
      zh: '摄像机：为该用户开通“远程：上传中心/报警”权限，并在每个事件的联动方式中勾选“上传中心”。',
    },
  },
  source: async () => (await import('./parse.ts')).hikvision,
  connector: async () => (await import('./stream.ts')).alertStream,
  snapshot: () => Promise.resolve(() => Promise.resolve('/ISAPI/Streaming/channels/101/picture')),
};
