import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  permission: { zh: '权限', en: 'Permission' },
  forCustomers: { zh: '租户用户', en: 'Customers' },
  standard: { zh: '默认拥有', en: 'Have it by default' },
  grantable: { zh: '可以授予', en: 'Can be given it' },
  never: { zh: '不可授予', en: 'Never' },
  heldBy: { zh: '现由谁持有', en: 'Held by' },
  holders: {
    zh: '总部人员 {operators} 人，租户用户 {customers} 人',
    en: '{operators} of headquarters, {customers} of customers',
  },
  others: { zh: '另有 {count} 人', en: 'and {count} more' },
  none: { zh: '没有权限', en: 'There are no permissions' },
  nobody: { zh: '无人', en: 'nobody' },
  rule: {
    zh: '总部人员默认拥有全部权限；在“用户”中可以只给所选权限。停用的用户不计。',
    en: 'Headquarters users have all of them unless limited under “Users”. Disabled users are left out.',
  },
});
