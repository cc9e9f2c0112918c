import { sentences } from '../../common/message.ts';

export const userMessages = {
  roles_operator: sentences('operator', '运营人员'),
  roles_customer: sentences('customer', '客户'),
  added: sentences('{name} may log in as {role}.', '{name} 现可作为{role}登录。'),
  addedOf: sentences('{name} may log in as {role} of {tenant}.', '{name} 现可作为 {tenant} 的{role}登录。'),
  none: sentences(
    'There is no user; add one with: fieldline-hq user add',
    '没有用户；用 fieldline-hq user add 添加',
  ),
  head: sentences('NAME | ROLE | TENANT | ENABLED | PERMISSIONS', '用户名 | 角色 | 租户 | 启用 | 权限'),
  allTenants: sentences('all', '全部'),
  enabled: sentences('yes', '是'),
  disabled: sentences('disabled', '已停用'),
  ofRole: sentences('of the role', '同角色'),
  nowDisabled: sentences(
    '{name} may no longer log in; the sessions have ended.',
    '{name} 已停用，其会话已结束。',
  ),
  nowEnabled: sentences('{name} may log in.', '{name} 可以登录。'),
  nowEmergency: sentences(
    '{name} is an emergency account: its password works also without the provider, and each use is an alarm.',
    '{name} 已设为应急账号：统一认证不可用时可用密码登录，每次使用都会告警。',
  ),
  noEmergency: sentences('{name} is no emergency account.', '{name} 不再是应急账号。'),
  newPassword: sentences(
    '{name} has a new password; the sessions have ended.',
    '{name} 的密码已更换，其会话已结束。',
  ),
  noTenant: sentences(
    '--tenant is missing: a customer belongs to one',
    '缺少 --tenant：客户必须属于一个租户',
  ),
  ask: sentences('Password: ', '密码：'),
};
