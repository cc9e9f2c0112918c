import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: { zh: '尚未存入保密值。', en: 'No secret was given yet.' },
  create: { zh: '存入保密值', en: 'Give a secret' },
  given: { zh: '已存入', en: 'It is kept' },
  replace: { zh: '更换', en: 'Replace' },
  remove: { zh: '删除', en: 'Delete' },
  removed: { zh: '已删除', en: 'It is deleted' },
  removes: {
    zh: '引用它的推送、数据源或渠道此后将被拒绝，并会显示出来。',
    en: 'The pushes, sources or channels that name it are refused from then on, visibly.',
  },
  name: { zh: '名称', en: 'Name' },
  nameHint: { zh: '字母、数字和 . _ -', en: 'Letters, digits and . _ -' },
  use: { zh: '用途', en: 'For' },
  push: { zh: '签名推送', en: 'Signing pushes' },
  dataset: { zh: '签名数据拉取', en: 'Signing pulls of datasets' },
  channel: { zh: '渠道的密钥', en: 'Secret of a channel' },
  channel_address: { zh: '渠道的完整地址', en: 'Whole address of a channel' },
  device: { zh: '摄像机的口令', en: 'What a camera is shown' },
  host: { zh: '对方主机', en: 'Towards the host' },
  hostHint: {
    zh: '例如 erp.example.com 或 erp.example.com:8443',
    en: 'As erp.example.com, or with its port',
  },
  secret: { zh: '保密值', en: 'Secret' },
  secretHint: { zh: '存入后不再显示', en: 'It is not shown again' },
  every: { zh: '不属于单个租户', en: 'Of no single tenant' },
  noTenant: { zh: '不属于单个租户', en: 'of no single tenant' },
  updated: { zh: '存入时间', en: 'Given at' },
});
