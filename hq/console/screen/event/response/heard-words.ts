import { catalogue } from '../../../word/catalogue.ts';

/** Whether the camera heard. */
export const heardWords = catalogue({
  camera: { zh: '结果是否已通知摄像机', en: 'Whether the camera heard' },
  heard: { zh: '摄像机已收到', en: 'It heard' },
  waits: { zh: '等待送达', en: 'Waits' },
  failed: { zh: '未送达，已放弃', en: 'Failed, given up' },
  verdict: { zh: '研判结论', en: 'The verdict' },
  correction: { zh: '更正结论', en: 'The correction' },
  task: { zh: '任务进展', en: 'Progress of the task' },
  edge_note: { zh: '催办提醒', en: 'A reminder' },
  noAddress: {
    zh: '摄像机没有留下回传地址，不会得知结论',
    en: 'The camera gave no address for feedback: it is not told',
  },
  notSaid: {
    zh: '等待站点 {site} 回报摄像机是否收到',
    en: 'The site {site} has not said yet whether its camera heard',
  },
  nothingToTell: { zh: '尚无需要回传的内容', en: 'There is nothing to tell it yet' },
});
