// What the simulated business system has: its datasets with their fields, and names to make rows of.
import type { DatasetDescriptor, FieldType } from '../../common/dataset/schema.ts';

const FIELDS: Record<string, { granularity: string; fields: Record<string, FieldType> }> = {
  projects: {
    granularity: 'one project',
    fields: { code: 'string', name: 'string', status: 'integer', health_score: 'integer' },
  },
  wbs_nodes: {
    granularity: 'one node of the work breakdown',
    fields: {
      project_id: 'integer',
      parent_id: 'integer',
      name: 'string',
      plan_progress: 'decimal',
      actual_progress: 'decimal',
    },
  },
  milestones: {
    granularity: 'one milestone',
    fields: { project_id: 'integer', code: 'string', name: 'string', status: 'integer' },
  },
  ncrs: {
    granularity: 'one quality nonconformity',
    fields: { project_id: 'integer', code: 'string', title: 'string', level: 'integer', closed: 'boolean' },
  },
  hazards: {
    granularity: 'one hazard',
    fields: {
      project_id: 'integer',
      title: 'string',
      level: 'integer',
      major: 'boolean',
      site_ref: 'string',
      event_id: 'integer',
      occurred_at: 'time',
    },
  },
  purchase_orders: {
    granularity: 'one purchase order',
    fields: {
      project_id: 'integer',
      code: 'string',
      milestone_id: 'integer',
      critical_path: 'boolean',
      required_on: 'date',
      expected_on: 'date',
      received: 'boolean',
    },
  },
};
export const BUSINESS_DATASETS = Object.keys(FIELDS);

export const PROJECTS = [
  { code: 'LINE-7', name: '七号线盾构区间' },
  { code: 'HUB-EAST', name: '东部枢纽站房' },
  { code: 'BRIDGE-3', name: '三号特大桥' },
];
export const WORKS = ['围护结构', '土方开挖', '主体结构', '机电安装', '装饰装修', '联调联试'];
export const DEFECTS = ['混凝土蜂窝麻面', '钢筋保护层不足', '防水卷材搭接不足', '焊缝未熔合', '管片错台超限'];
export const DANGERS = [
  '深基坑监测值超限',
  '临边防护缺失',
  '起重吊装无证作业',
  '有限空间未检测',
  '脚手架连墙件缺失',
];

export function descriptorOf(name: string): DatasetDescriptor {
  const { granularity, fields } = FIELDS[name] ?? { granularity: name, fields: {} };
  return {
    key: name,
    schemaVersion: '1',
    granularity,
    updateFrequency: 'as it happens',
    earliest: null,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type, measure: null })),
  };
}
