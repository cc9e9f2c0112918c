import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  none: {
    zh: '尚无订阅方。',
    en: 'No consumer yet.',
  },
  register: { zh: '登记订阅方', en: 'Register a consumer' },
  registered: { zh: '已登记', en: 'It is registered' },
  removeTitle: { zh: '删除订阅方 {consumer}', en: 'Remove the consumer {consumer}' },
  remove: { zh: '删除', en: 'Remove' },
  removed: { zh: '已删除', en: 'It is removed' },
  removes: {
    zh: '它的位置随之删除；以后重新登记时重新开始。它的密钥不会随之作废，请在下方单独撤销。',
    en: 'Its place goes with it: registered again it begins anew. Its keys stay, and are withdrawn below.',
  },
  everyTenant: { zh: '全部租户的事件', en: 'Events of every tenant' },
  consumerName: { zh: '订阅方名称', en: 'Name of the consumer' },
  nameHint: {
    zh: '字母、数字和 . _ -，例如 erp-feed',
    en: 'Letters, digits and . _ - as in erp-feed',
  },
  types: { zh: '事件类型（空为全部）', en: 'Types of events (none: all)' },
  typesHint: { zh: '可用 * 结尾，例如 person.*', en: 'May end with *, as person.*' },
  least: { zh: '最低级别', en: 'Least severity' },
  begin: { zh: '从哪里开始', en: 'It begins with' },
  fromNow: { zh: '此后的新事件', en: 'what comes from now on' },
  fromFirst: { zh: '现存的全部事件', en: 'everything that is kept' },
  pushUrl: { zh: '推送地址（空为由对方拉取）', en: 'Push address (none: it pulls)' },
  pushSecret: { zh: '推送签名密钥', en: 'Secret that signs the pushes' },
  pushSecretHint: {
    zh: '双方约定，存入后不再显示；不填则推送不签名',
    en: 'As agreed with the receiver; it is not shown again. Without one, pushes are not signed.',
  },
  keys: { zh: '订阅方的密钥', en: 'Keys of consumers' },
  noKeys: { zh: '尚未签发密钥。', en: 'No key was given out yet.' },
  keyId: { zh: '密钥编号', en: 'Key id' },
  secret: { zh: '密钥', en: 'Secret' },
  issue: { zh: '签发密钥', en: 'Give out a key' },
  issued: { zh: '已签发', en: 'It is given out' },
  rotate: { zh: '更换', en: 'New secret' },
  rotated: { zh: '已更换', en: 'It has a new secret' },
  withdraw: { zh: '撤销', en: 'Withdraw' },
  withdrawn: { zh: '已撤销', en: 'It is withdrawn' },
  withdraws: {
    zh: '使用此密钥的程序立即不能再访问。',
    en: 'Whatever uses this key is refused from now on.',
  },
  signs: {
    zh: '请求怎样签名见接口文档（/docs）。',
    en: 'How requests are signed stands in the description of the API (/docs).',
  },
  consumer: { zh: '订阅方', en: 'Consumer' },
  allTenants: { zh: '全部租户', en: 'every tenant' },
  way: { zh: '方式', en: 'How' },
  push: { zh: '推送', en: 'Pushed' },
  pull: { zh: '拉取', en: 'Pulls' },
  paused: { zh: '已暂停', en: 'Paused' },
  cursor: { zh: '已确认至', en: 'Confirmed up to' },
  lag: { zh: '落后', en: 'Behind by' },
  events: { zh: '{count} 条事件', en: '{count} events' },
  upToDate: { zh: '无', en: 'nothing' },
  lastSuccess: { zh: '最近送达', en: 'Last taken' },
  next: { zh: '下次尝试', en: 'Next try' },
  fault: { zh: '故障', en: 'Fault' },
  failures: { zh: '连续失败 {count} 次', en: '{count} failures in a row' },
  pause: { zh: '暂停', en: 'Pause' },
  resume: { zh: '恢复', en: 'Resume' },
  cancel: { zh: '取消', en: 'Cancel' },
  pauseTitle: { zh: '暂停订阅方 {consumer}？', en: 'Pause the consumer {consumer}?' },
  resumeTitle: { zh: '恢复订阅方 {consumer}？', en: 'Resume the consumer {consumer}?' },
  nowPaused: { zh: '已暂停', en: 'It is paused' },
  resumed: { zh: '已恢复', en: 'It goes on' },
  pausesPull: {
    zh: '它将不能再拉取事件，直到恢复。事件照常保存，已确认的位置不变；恢复后从该位置继续。超过保留期限的事件它将收不到。',
    en:
      'It can pull no events until it is resumed. Events are kept as before and its place stays, ' +
      'from which it then goes on. It does not get events that retention deletes meanwhile.',
  },
  pausesPush: {
    zh: '不再向它推送，也不能拉取，直到恢复。事件照常保存，已送达的位置不变；恢复后从该位置继续。超过保留期限的事件它将收不到。',
    en:
      'Nothing is pushed to it, and it can pull nothing, until it is resumed. Events are kept as ' +
      'before and its place stays, from which it then goes on. It does not get events that retention ' +
      'deletes meanwhile.',
  },
  pausesRules: {
    zh: '这是响应规则读取事件的订阅：暂停期间，规则不会生成任务、通知和归并组。',
    en: 'Response rules read events by it: while it is paused they make no tasks, notices or groups.',
  },
  resumes: {
    zh: '它从已确认的位置继续，先收到暂停期间积累的事件。',
    en: 'It goes on from where it stands, and gets first what has gathered meanwhile.',
  },
});
