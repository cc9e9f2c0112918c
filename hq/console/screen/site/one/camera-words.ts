import { catalogue } from '../../../word/catalogue.ts';

/** How it stands with a camera: the conditions of a connection, and why messages are refused. */
export const cameraWords = catalogue({
  connecting: { zh: '正在连接', en: 'connecting' },
  connected: { zh: '已连接', en: 'connected' },
  silent: { zh: '静默', en: 'silent' },
  refused: { zh: '被摄像机拒绝', en: 'refused by the camera' },
  unreachable: { zh: '无法到达', en: 'not reachable' },
  tls: { zh: 'TLS 问题', en: 'TLS fault' },
  clock: { zh: '时钟问题', en: 'its clock is wrong' },
  broken: { zh: '应答异常', en: 'answers wrongly' },
  not_stored: { zh: '未保存', en: 'not stored' },
  heard: { zh: '有数据', en: 'heard' },
  other: { zh: '异常', en: 'not connected' },
  wrong_password: { zh: '上报密码错误，被拒收', en: 'posts with a wrong password: refused' },
  wrong_network: {
    zh: '从不允许的网络上报，被拒收',
    en: 'posts from a network that is not allowed: refused',
  },
  unreadable: { zh: '上报内容无法读取', en: 'what it posts cannot be read' },
  bad_signature: { zh: '签名与密钥不符，被拒收', en: 'signs with a wrong secret: refused' },
  clock_off: { zh: '时钟不准，上报被拒收', en: 'its clock is off: what it posts is refused' },
  invalid: { zh: '上报不符合事件格式，被拒收', en: 'what it posts is no event: refused' },
  too_large: { zh: '上报内容过大，被拒收', en: 'what it posts is too large: refused' },
});
