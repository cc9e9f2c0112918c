import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '报告', en: 'Reports' },
  under: { zh: '这段时间情况如何？', en: 'How did the period go?' },
  knowledge: { zh: '报告与知识', en: 'Reports and knowledge' },
  statistics: { zh: '统计', en: 'Statistics' },
  tenant: { zh: '租户', en: 'Tenant' },
});
