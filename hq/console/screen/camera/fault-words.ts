import { catalogue } from '../../word/catalogue.ts';

/** Why a camera has not heard something. */
export const faultWords = catalogue({
  because: { zh: '{why}（{more}）', en: '{why} ({more})' },
  'address not allowed': { zh: '地址不在允许范围内', en: 'its address is not allowed' },
  'connection refused': { zh: '摄像机拒绝连接', en: 'it refused the connection' },
  'timed out': { zh: '摄像机应答超时', en: 'it did not answer in time' },
  unreachable: { zh: '无法连通摄像机', en: 'it cannot be reached' },
  'answered with an error': { zh: '摄像机返回错误', en: 'it answered with an error' },
  'not sent': { zh: '未能发出', en: 'it could not be sent' },
  noAddress: { zh: '事件没有留下回传地址', en: 'its event came without an address for feedback' },
  notKept: {
    zh: '事件已不再保存，摄像机地址随之删除',
    en: 'its event is not kept here any more, and with it the address of the camera',
  },
  later: { zh: '本次未发送，将在后台继续发送', en: 'not tried yet; it goes out by itself' },
  atSite: {
    zh: '由站点 {site} 执行，下次联系时通知摄像机',
    en: 'the site {site} carries it out, and tells the camera when it calls next',
  },
  outOfReach: {
    zh: '事件来自站点 {site}，此处无法连接其摄像机',
    en: 'its event arose at the site {site}, whose cameras cannot be reached from here',
  },
});
