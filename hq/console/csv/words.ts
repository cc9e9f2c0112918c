import { catalogue } from '../word/catalogue.ts';

export const words = catalogue({
  saved: { zh: '已导出 {count} 行', en: '{count} rows exported' },
  cut: {
    zh: '数据较多，文件只含前 {count} 行。请缩短时间范围，分多次导出。',
    en: 'There is more: the file has the first {count} rows only. Shorten the period and export the parts.',
  },
});
