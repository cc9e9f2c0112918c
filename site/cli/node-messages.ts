import type { Language } from '../../common/message.ts';

const en = {
  type: 'Type this into the camera; the secret is shown this once.',
  address: 'address',
  or: 'or',
  keyId: 'key id',
  secret: 'secret',
  gateway: '<address of this gateway>',
  signing:
    'Each request carries X-Core-Key, X-Core-Timestamp and X-Core-Signature; how they are made: man ' +
    'fieldline-site, SIGNED REQUESTS.',
  none: 'No camera is registered; add one with: fieldline-site node add',
  head: ['KEY', 'TENANT', 'NAME', 'SINCE', 'OLD SECRET UNTIL'],
  overlap: (hours: number) =>
    hours === 0 ? 'The old secret is no longer valid.' : `The old secret stays valid for ${hours} hours.`,
  removed: (keyId: string) => `${keyId} is removed; its requests are refused from now on.`,
};

const zh: typeof en = {
  type: '请将以下内容填入摄像机；密钥只显示这一次。',
  address: '地址',
  or: '或',
  keyId: '密钥 ID',
  secret: '密钥',
  gateway: '<本网关地址>',
  signing:
    '每个请求须带 X-Core-Key、X-Core-Timestamp 和 X-Core-Signature；签名方法见 man fieldline-site 的 SIGNED REQUESTS 一节。',
  none: '未登记摄像机；用 fieldline-site node add 登记',
  head: ['密钥 ID', '租户', '名称', '登记时间', '旧密钥有效至'],
  overlap: (hours) =>
    hours === 0 ? '旧密钥已失效。' : `旧密钥在 ${hours} 小时内仍有效，请在此之前更换摄像机中的密钥。`,
  removed: (keyId) => `${keyId} 已移除，今后拒绝它的请求。`,
};

export type NodeMessages = typeof en;
export const nodeMessages: Record<Language, NodeMessages> = { en, zh };
