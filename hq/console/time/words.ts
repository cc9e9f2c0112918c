import { catalogue } from '../word/catalogue.ts';

export const words = catalogue({
  begin: { zh: '开始', en: 'From' },
  end: { zh: '结束', en: 'To' },
  zone: { zh: '时区', en: 'Time zone' },
  criticalThrough: { zh: '严重告警照常通知', en: 'Critical alarms are told all the same' },
  needed: { zh: '请填写', en: 'This is needed' },
});
