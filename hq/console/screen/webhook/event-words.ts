import { catalogue } from '../../word/catalogue.ts';

/** Kinds of business events, by their names in the API. */
export const eventWords = catalogue({
  all: { zh: '全部事件', en: 'All events' },
  'milestone.changed': { zh: '里程碑状态变更', en: 'Milestone changed' },
  'hazard.major': { zh: '重大隐患', en: 'Major hazard' },
  'ncr.created': { zh: '质量不合格（NCR）', en: 'Quality nonconformity (NCR)' },
  'procurement.delay': { zh: '关键材料采购延误', en: 'Procurement delay' },
  'webhook.test': { zh: '测试事件', en: 'Test event' },
});
export const subscribable = [
  'milestone.changed',
  'hazard.major',
  'ncr.created',
  'procurement.delay',
] as const;
export const eventNames = [...subscribable, 'webhook.test'] as const;
