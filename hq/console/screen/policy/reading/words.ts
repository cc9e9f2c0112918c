import { catalogue } from '../../../word/catalogue.ts';

/** What is said of files that headquarters reads into clauses. */
export const words = catalogue({
  file: { zh: '文件', en: 'File' },
  state: { zh: '解析', en: 'Reading' },
  attempts: { zh: '第 {count} 次', en: 'begun {count} times' },
  notes: { zh: '说明', en: 'What came of it' },
  changed: { zh: '时间', en: 'Since' },
  waiting: { zh: '等待解析', en: 'Waits' },
  reading: { zh: '正在解析', en: 'Being read' },
  read: { zh: '已解析', en: 'Read' },
  failed: { zh: '无法读取', en: 'Could not be read' },
  text: { zh: '文字：第 {page} 页，共 {pages} 页', en: 'text: page {page} of {pages}' },
  recognition: { zh: '识别图片：第 {page} 页，共 {pages} 页', en: 'pictures: page {page} of {pages}' },
  again: { zh: '重新解析', en: 'Read again' },
  asked: { zh: '将重新解析', en: 'It will be read again' },
  sure: {
    zh: '重新解析？读到的条款会替换现有条款。',
    en: 'Read it again? What is read takes the place of its clauses.',
  },
  none: { zh: '没有等待解析的文件', en: 'No file waits to be read' },
});
