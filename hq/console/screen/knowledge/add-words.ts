import { catalogue } from '../../word/catalogue.ts';

export const addWords = catalogue({
  add: { zh: '新建报告或知识', en: 'New report or case' },
  save: { zh: '保存', en: 'Save' },
  made: { zh: '已保存', en: 'Saved' },
  needed: { zh: '请填写', en: 'Fill this in' },
  levelHint: {
    zh: '存入后不能更改；高于您本人密级的内容，您自己也看不到。',
    en: 'It cannot be changed later. What is above your own clearance you do not see yourself.',
  },
  eventNumber: { zh: '请填写事件编号', en: 'The number of an event' },
  sections: { zh: '分节', en: 'Sections' },
  sectionTitle: { zh: '小节标题', en: 'Title of the section' },
  sectionText: { zh: '内容', en: 'What it says' },
  addSection: { zh: '添加小节', en: 'Add a section' },
  removeSection: { zh: '删除此小节', en: 'Remove this section' },
  tooLong: { zh: '每节最多 {most} 字', en: 'A section has {most} characters at most' },
  toBeSigned: { zh: '需要签发', en: 'It is to be signed off' },
  summary: { zh: '情况小结', en: 'What happened' },
  measures: { zh: '措施', en: 'Measures' },
  left: { zh: '遗留事项', en: 'What is left to do' },
  cause: { zh: '误报原因', en: 'Why it was a false alarm' },
  signs: { zh: '如何识别', en: 'How to tell' },
  items: { zh: '检查项', en: 'What to check' },
  course: { zh: '经过', en: 'Course of events' },
  causes: { zh: '原因分析', en: 'Causes' },
  sign_off: { zh: '签发', en: 'Signed off' },
});
