import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  user: { zh: '用户', en: 'User' },
  tenant: { zh: '租户', en: 'Tenant' },
  current: { zh: '本次登录', en: 'Here' },
  address: { zh: '来源地址', en: 'From' },
  browser: { zh: '浏览器', en: 'Browser' },
  began: { zh: '登录时间', en: 'Logged in' },
  lastSeen: { zh: '最近活动', en: 'Last seen' },
  expires: { zh: '到期时间', en: 'Expires' },
  actions: { zh: '操作', en: 'Actions' },
  end: { zh: '结束', en: 'End' },
  endSure: { zh: '结束 {name} 的这次登录？', en: 'End this session of {name}?' },
  ended: { zh: '登录已结束', en: 'The session was ended' },
  noSessions: { zh: '没有登录', en: 'Nobody is logged in' },
  cancel: { zh: '取消', en: 'Cancel' },
});
