import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  why: {
    zh: '密级决定账号在制度库中能看到哪些文件。未授予过的账号按“内部”处理；要降低，请授予“公开”。',
    en:
      'Clearance says which files of the policy library an account may see. One that was never granted ' +
      'any counts as internal; to lower it, grant public.',
  },
  account: { zh: '账号', en: 'Account' },
  accountHint: {
    zh: '制度库中的账号名，如总部用户名',
    en: 'As the policy library knows it, such as a user name',
  },
  level: { zh: '最高密级', en: 'Highest level' },
  by: { zh: '授予人', en: 'Granted by' },
  at: { zh: '授予时间', en: 'Granted' },
  tenant: { zh: '租户', en: 'Tenant' },
  grant: { zh: '授予密级', en: 'Grant clearance' },
  grantDo: { zh: '授予', en: 'Grant' },
  change: { zh: '更改', en: 'Change' },
  granted: { zh: '{account} 的密级已改为“{level}”', en: '{account} is now cleared for {level}' },
  none: { zh: '尚未授予任何账号，全部按“内部”处理', en: 'Nobody was granted any; all count as internal' },
  noTenant: {
    zh: '服务器没有配置制度库租户（CORE_OPERATOR_TENANT）',
    en: 'The server names no tenant whose library you may use (CORE_OPERATOR_TENANT)',
  },
  more: { zh: '还有更多，未全部显示', en: 'There are more than are shown' },
  needed: { zh: '请填写', en: 'This is needed' },
});
