import { catalogue } from '../../word/catalogue.ts';

export const reviseWords = catalogue({
  revise: { zh: '修订', en: 'Revise' },
  title: { zh: '修订：{title}', en: 'Revise: {title}' },
  note: { zh: '修订说明', en: 'Why, in a sentence' },
  save: { zh: '保存修订', en: 'Save the revision' },
  cancel: { zh: '取消', en: 'Cancel' },
  saved: { zh: '已保存为第 {version} 版', en: 'Saved as version {version}' },
  same: { zh: '内容没有变化，未保存新版本', en: 'Nothing differs; no version was made' },
  tooLong: { zh: '每节最多 {most} 字', en: 'A section has {most} characters at most' },
  first: {
    zh: '{who} 已先行修订（现为第 {version} 版）。您的修订没有保存。',
    en: '{who} was first: it is version {version} now. Yours was not saved.',
  },
  compare: {
    zh: '下面是两者的差别。点击“按最新版继续”后，对方修改的小节以最新内容为准，您改过的小节保留您的文字，再由您保存。',
    en:
      'This is how the two differ. “Go on from the newest” takes their text where you changed nothing and ' +
      'keeps yours where you did; then save it.',
  },
  goOn: { zh: '按最新版继续', en: 'Go on from the newest' },
  present: { zh: '现在的内容', en: 'As it is now' },
  mine: { zh: '您的版本', en: 'As you wrote it' },
  both: { zh: '两人都改了这一节', en: 'Both changed this section' },
  sign: { zh: '签发', en: 'Sign it off' },
  signAsk: { zh: '签发第 {version} 版？', en: 'Sign version {version} off?' },
  signedText: { zh: '{who} 于 {at} 签发第 {version} 版。', en: '{who} signed version {version} at {at}.' },
  signed: { zh: '第 {version} 版已签发', en: 'Version {version} is signed off' },
  signedStale: {
    zh: '报告刚被修订，尚未签发；请看过最新版再签发。',
    en: 'It was revised just now and is not signed: read the newest version first.',
  },
  unsign: { zh: '撤回签发', en: 'Withdraw the signature' },
  unsignAsk: { zh: '撤回对此报告的签发？', en: 'Withdraw the signature?' },
  unsignDone: { zh: '已撤回签发', en: 'The signature is withdrawn' },
  unsigned: { zh: '尚未签发', en: 'Not signed off yet' },
  changedSince: { zh: '签发之后又有修订', en: 'It was revised after it was signed off' },
  added: { zh: '新增', en: 'added' },
  removed: { zh: '删去', en: 'taken out' },
});
