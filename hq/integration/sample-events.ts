// Business events with made-up data, by which a receiver tries its own branches.
import {
  type BusinessEvent,
  formatBeijing,
  milestoneStatusTexts,
  type SubscribableType,
} from './business-event.ts';

/** Ids of samples: a business system has none below 1. */
const NONE = 0;
const [IN_PROGRESS, DELAYED] = [2, 5];

const SAMPLES: { [T in SubscribableType]: (at: string) => Extract<BusinessEvent, { event: T }> } = {
  'milestone.changed': (at) => ({
    event: 'milestone.changed',
    project_id: NONE,
    milestone_id: NONE,
    code: 'SAMPLE',
    name: '示例 Sample',
    status: DELAYED,
    status_text: milestoneStatusTexts[DELAYED] ?? '',
    previous_status: IN_PROGRESS,
    changed_at: at,
  }),
  'hazard.major': (at) => ({
    event: 'hazard.major',
    project_id: NONE,
    hazard_id: NONE,
    title: '示例 Sample',
    level: 1,
    site_ref: 'sample',
    event_id: null,
    occurred_at: at,
  }),
  'ncr.created': () => ({
    event: 'ncr.created',
    project_id: NONE,
    ncr_id: NONE,
    code: 'SAMPLE',
    title: '示例 Sample',
    level: 1,
  }),
  'procurement.delay': () => ({
    event: 'procurement.delay',
    project_id: NONE,
    milestone_id: NONE,
    status: DELAYED,
    status_text: milestoneStatusTexts[DELAYED] ?? '',
    caused_by_order: NONE,
  }),
};

/** @param now epoch ms */
export const sampleOf = (type: SubscribableType, now: number): BusinessEvent =>
  SAMPLES[type](formatBeijing(now));
