import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { hubCommand } from '../context.ts';

const NAME = { value: 'NAME', summary: { en: 'name of the user', zh: '用户名' } } as const;
const PASSWORD_STDIN = {
  summary: { en: 'read the password from standard input', zh: '从标准输入读取密码' },
} as const;

/** The people who may log in. */
export const userCommands = [
  hubCommand({
    name: 'user add',
    summary: { en: 'let a person log in; asks for the password', zh: '添加用户，并询问密码' },
    positionals: { name: NAME },
    options: {
      role: {
        value: 'ROLE',
        required: true,
        choices: ['operator', 'customer'],
        summary: { en: 'whether the user sees all tenants or one', zh: '可见全部租户，或仅一个租户' },
      },
      tenant: { value: 'TENANT', summary: { en: 'of a customer', zh: '客户所属的租户' } },
      permission: {
        value: 'PERMISSION',
        multiple: true,
        summary: { en: 'what the user may do; all of the role without it', zh: '权限；默认与角色相同' },
      },
      'password-stdin': PASSWORD_STDIN,
    },
    examples: [
      { line: 'user add li --role operator', what: { en: 'sees all tenants', zh: '可见全部租户' } },
      {
        line: 'user add wang --role customer --tenant acme --permission events.view',
        what: { en: 'may look at the events of one tenant', zh: '只能查看一个租户的事件' },
      },
    ],
    run: async (typed, context) => (await import('../user.ts')).addUser(typed, context),
  }),
  hubCommand({
    name: 'user list',
    summary: { en: 'list the users with role and permissions', zh: '列出用户及其角色和权限' },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../user.ts')).listUsers(typed, context),
  }),
  hubCommand({
    name: 'user disable',
    summary: { en: 'let a user in no longer; the sessions end at once', zh: '停用用户，其会话立即结束' },
    positionals: { name: NAME },
    run: async ({ name }, context) => (await import('../user.ts')).setDisabled(name, true, context),
  }),
  hubCommand({
    name: 'user enable',
    summary: { en: 'let a user in again', zh: '重新启用用户' },
    positionals: { name: NAME },
    run: async ({ name }, context) => (await import('../user.ts')).setDisabled(name, false, context),
  }),
  hubCommand({
    name: 'user emergency',
    summary: {
      en: 'let a user in by password also without the provider of identities; each use is an alarm',
      zh: '设为应急账号：统一认证不可用时可用密码登录，每次使用都会告警',
    },
    positionals: { name: NAME },
    options: { off: { summary: { en: 'no longer', zh: '取消' } } },
    run: async ({ name, off }, context) =>
      (await import('../user.ts')).setEmergency(name, off !== true, context),
  }),
  hubCommand({
    name: 'user password',
    summary: { en: 'give a user a new password; the sessions end', zh: '更换用户的密码，其会话结束' },
    positionals: { name: NAME },
    options: { 'password-stdin': PASSWORD_STDIN },
    run: async (typed, context) => (await import('../user.ts')).changePassword(typed, context),
  }),
];
