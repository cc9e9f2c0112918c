import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '我的账号', en: 'My account' },
  under: {
    zh: '您在哪里登录着，如何证明是您本人？',
    en: 'Where are you logged in, and how do you prove who you are?',
  },
  sessions: { zh: '我的登录', en: 'Where I am logged in' },
  noSessions: { zh: '没有登录', en: 'Nowhere' },
  current: { zh: '本次登录', en: 'Here' },
  address: { zh: '来源地址', en: 'From' },
  browser: { zh: '浏览器', en: 'Browser' },
  began: { zh: '登录时间', en: 'Logged in' },
  lastSeen: { zh: '最近活动', en: 'Last seen' },
  actions: { zh: '操作', en: 'Actions' },
  end: { zh: '结束', en: 'End' },
  endSure: { zh: '结束这次登录？', en: 'End this session?' },
  ended: { zh: '登录已结束', en: 'The session was ended' },
  endOthers: { zh: '结束其他登录', en: 'End all others' },
  endOthersSure: { zh: '结束您在其他地方的所有登录？', en: 'End all your sessions elsewhere?' },
  endedOthers: { zh: '已结束 {count} 个登录', en: '{count} sessions were ended' },
  password: { zh: '修改密码', en: 'Change my password' },
  cancel: { zh: '取消', en: 'Cancel' },
});
