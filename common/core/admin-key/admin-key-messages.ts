const en = {
  made: (
    name: string,
    secret: string,
  ) => `The admin key ${name}, shown this once. It grants full access; keep it where only its holder reads it.

  ${secret}
`,
  head: ['NAME', 'SINCE', 'LAST USED', 'FROM', 'OLD SECRET UNTIL'],
  configured: 'of the configuration',
  never: 'never',
  none: 'There is no admin key but that of the configuration, which was not used yet.',
  overlap: (hours: number) =>
    hours === 0
      ? 'The old secret is no longer valid, and the sessions opened with it have ended.'
      : `The old secret stays valid for ${hours} hours.`,
  removed: (name: string) => `${name} is withdrawn; it is no longer valid, and its sessions have ended.\n`,
};

const zh: typeof en = {
  made: (name, secret) => `管理密钥 ${name}，只显示这一次。它拥有全部权限，请仅由持有人保管。

  ${secret}
`,
  head: ['名称', '创建时间', '最近使用', '来源', '旧密钥有效至'],
  configured: '来自配置',
  never: '从未',
  none: '除配置中的管理密钥外没有其他管理密钥，且其尚未使用过。',
  overlap: (hours) => (hours === 0 ? '旧密钥及用它登录的会话已失效。' : `旧密钥在 ${hours} 小时内仍有效。`),
  removed: (name) => `${name} 已撤销，不再有效，其会话已结束。\n`,
};

export const adminKeyMessages = { en, zh };
