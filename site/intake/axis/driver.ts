import type { Driver } from '../driver.ts';

export const driver: Driver = {
  settings: {
    address: { schemes: ['mqtt:', 'mqtts:'], only: true },
    topic: 'filter',
  },
  menu: {
    pulled: {
      en:
        'Camera: System > MQTT > MQTT client, with the broker; then MQTT publication: tick "Include ' +
        'serial number in payload", and add a condition for each event, with QoS 1. Try it: ' +
        'fieldline-site node try KEY.',
      zh:
        '摄像机：系统 > MQTT > MQTT 客户端，填写代理；再到 MQTT 发布中勾选“在负载中包含序列号”，为每个事件添加条件，QoS 选 1。试用：fieldline-site ' +
        'node try 密钥ID。',
    },
  },
  source: async () => (await import('./parse.ts')).axis,
  connector: async () => (await import('./connector.ts')).axisConnector,
};
