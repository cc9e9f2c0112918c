import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '研判', en: 'Review' },
  under: {
    zh: '{events} 条告警等待研判，按摄像机和类型合为 {rows} 组，最严重的在前',
    en: '{events} alerts wait to be judged, in {rows} rows by camera and type, the gravest first',
  },
  underMore: {
    zh: '等待研判的告警很多，先看最近的 {events} 条，按摄像机和类型合为 {rows} 组',
    en: 'Many alerts wait to be judged; here are the newest {events}, in {rows} rows by camera and type',
  },
  nothing: { zh: '没有等待研判的告警', en: 'No alert waits to be judged' },
  nothingFits: { zh: '没有符合筛选条件的告警', en: 'No alert that waits fits the filters' },
  keysHint: { zh: 'j / k 换组，v 研判', en: 'j / k for the rows, v to judge' },
  place: { zh: '第 {at} 组，共 {rows} 组', en: 'Row {at} of {rows}' },
  previous: { zh: '上一组', en: 'Previous' },
  next: { zh: '下一组', en: 'Next' },
  judge: { zh: '研判', en: 'Judge' },
  open: { zh: '打开事件', en: 'Open the event' },
  count: { zh: '{count} 条', en: '{count} alerts' },
  since: { zh: '自', en: 'since' },
  others: { zh: '同组的其他告警', en: 'The others of the row' },
  severity: { zh: '级别', en: 'Severity' },
  type: { zh: '类型', en: 'Type' },
  site: { zh: '站点', en: 'Site' },
  queue: { zh: '等待研判的组', en: 'Rows that wait' },
});
