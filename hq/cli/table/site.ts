import { JSON_OPTION, OVERLAP_HOURS } from '../../../common/terminal/command-table.ts';
import { hubCommand } from '../context.ts';

const INSTANCE = { value: 'INSTANCE', summary: { en: 'name of the site', zh: '站点名称' } } as const;
const TENANT = {
  value: 'TENANT',
  required: true,
  multiple: true,
  summary: { en: 'tenant whose events the site may bring', zh: '站点可以上传其事件的租户' },
} as const;

/** The sites that may join. */
export const siteCommands = [
  hubCommand({
    name: 'site add',
    summary: { en: 'register a site; its key is shown once', zh: '登记站点，密钥只显示一次' },
    positionals: { instance: INSTANCE },
    options: {
      tenant: TENANT,
      code: {
        summary: {
          en: 'a joining code, with which the site fetches its key, in place of the key',
          zh: '给出接入码代替密钥，站点凭码取得密钥',
        },
      },
    },
    examples: [
      {
        line: 'site add tunnel-7 --tenant acme --tenant metro',
        what: { en: 'a site with the events of two tenants', zh: '一个站点，两个租户的事件' },
      },
    ],
    run: async (typed, context) => (await import('../site.ts')).addSite(typed, context),
  }),
  hubCommand({
    name: 'site code',
    summary: {
      en: 'a short code with which a site fetches a key, once and within ten minutes',
      zh: '生成接入码，站点凭码取得密钥：十分钟内有效，只能用一次',
    },
    positionals: { instance: INSTANCE },
    run: async (typed, context) => (await import('../site.ts')).giveCode(typed, context),
  }),
  hubCommand({
    name: 'site list',
    summary: {
      en: 'list the sites with their tenants and keys, how they stand and what waits',
      zh: '列出站点及其租户和密钥、状态和积压',
    },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../site.ts')).listSites(typed, context),
  }),
  hubCommand({
    name: 'site tenants',
    summary: { en: 'change the tenants whose events a site may bring', zh: '更改站点可以上传的租户' },
    positionals: { instance: INSTANCE },
    options: { tenant: TENANT },
    run: async (typed, context) => (await import('../site.ts')).setTenants(typed, context),
  }),
  hubCommand({
    name: 'site continue',
    summary: { en: 'say that a site goes on under another name', zh: '声明站点改名后接续原站点' },
    description: {
      en: 'The events of the former sites are its own from then on; what was parked can be replayed there.',
      zh: '原站点的事件从此归其所有；搁置的数据可在站点重新上传。',
    },
    positionals: { instance: INSTANCE },
    options: {
      before: {
        value: 'NAME',
        required: true,
        multiple: true,
        summary: { en: 'name that the site had before', zh: '站点的原名称' },
      },
    },
    run: async (typed, context) => (await import('../site.ts')).continueSite(typed, context),
  }),
  hubCommand({
    name: 'site silence',
    summary: {
      en: 'set after how long the silence of a site raises an alarm; ten minutes unless set',
      zh: '设置站点失联多久后告警，默认十分钟',
    },
    positionals: { instance: INSTANCE },
    options: {
      'after-minutes': {
        value: 'MINUTES',
        number: true,
        required: true,
        summary: { en: 'minutes, a week at most', zh: '分钟数，最多一周' },
      },
    },
    run: async (typed, context) => (await import('../site.ts')).watchSite(typed, context),
  }),
  hubCommand({
    name: 'site away',
    summary: {
      en: 'say that a site is planned to be away: nobody is called for its silence',
      zh: '标记站点计划停用：失联不告警',
    },
    positionals: { instance: INSTANCE },
    run: async ({ instance }, context) =>
      (await import('../site.ts')).setAway({ instance, away: true }, context),
  }),
  hubCommand({
    name: 'site back',
    summary: { en: 'say that a site is not away any more', zh: '标记站点恢复使用' },
    positionals: { instance: INSTANCE },
    run: async ({ instance }, context) =>
      (await import('../site.ts')).setAway({ instance, away: false }, context),
  }),
  hubCommand({
    name: 'site rotate',
    summary: { en: 'give a key of a site a new secret; it is shown once', zh: '更换站点的密钥，只显示一次' },
    positionals: {
      instance: INSTANCE,
      key: { value: 'KEY', summary: { en: 'key id, as site list shows it', zh: '密钥 ID，见 site list' } },
    },
    options: { 'overlap-hours': OVERLAP_HOURS },
    run: async (typed, context) => (await import('../site.ts')).rotateSite(typed, context),
  }),
  hubCommand({
    name: 'site remove',
    summary: {
      en: 'refuse a site from now on; what it brought stays',
      zh: '移除站点，立即拒绝其上传；已有数据保留',
    },
    positionals: { instance: INSTANCE },
    run: async (typed, context) => (await import('../site.ts')).removeSite(typed, context),
  }),
];
