import type { Language } from '../../common/message.ts';

type Role = 'operator' | 'customer';

const en = {
  roles: { operator: 'operator', customer: 'customer' },
  added: (name: string, role: Role, tenant: string | null) =>
    `${name} may log in as ${role}${tenant === null ? '' : ` of ${tenant}`}.`,
  none: 'There is no user; add one with: fieldline-hq user add',
  head: ['NAME', 'ROLE', 'TENANT', 'ENABLED', 'PERMISSIONS'],
  allTenants: 'all',
  enabled: 'yes',
  disabled: 'disabled',
  ofRole: 'of the role',
  nowDisabled: (name: string) => `${name} may no longer log in; the sessions have ended.`,
  nowEnabled: (name: string) => `${name} may log in.`,
  newPassword: (name: string) => `${name} has a new password; the sessions have ended.`,
  noTenant: '--tenant is missing: a customer belongs to one',
  ask: 'Password: ',
  again: 'Once more: ',
  noTerminal: 'there is no terminal to ask for the password; give --password-stdin and pipe it in',
  differ: 'the two passwords differ; nothing was changed',
  brokenOff: 'cancelled; nothing was changed',
};

const zh: typeof en = {
  roles: { operator: '运营人员', customer: '客户' },
  added: (name, role, tenant) =>
    `${name} 现可作为${tenant === null ? '' : ` ${tenant} 的`}${zh.roles[role]}登录。`,
  none: '没有用户；用 fieldline-hq user add 添加',
  head: ['用户名', '角色', '租户', '启用', '权限'],
  allTenants: '全部',
  enabled: '是',
  disabled: '已停用',
  ofRole: '同角色',
  nowDisabled: (name) => `${name} 已停用，其会话已结束。`,
  nowEnabled: (name) => `${name} 可以登录。`,
  newPassword: (name) => `${name} 的密码已更换，其会话已结束。`,
  noTenant: '缺少 --tenant：客户必须属于一个租户',
  ask: '密码：',
  again: '再次输入：',
  noTerminal: '没有终端可以输入密码；请加 --password-stdin 并从管道输入',
  differ: '两次输入不一致，没有更改',
  brokenOff: '已中断，没有更改',
};

export const userMessages: Record<Language, typeof en> = { en, zh };
