import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  rename: { zh: '命名摄像机', en: 'Name the camera' },
  title: { zh: '命名摄像机 {camera}', en: 'Name the camera {camera}' },
  name: { zh: '名称', en: 'Name' },
  hint: {
    zh: '事件、任务、消息和平面图中都显示此名称；留空则显示摄像机自带的名称。',
    en: 'Shown with events, tasks, messages and plans. Empty: what the camera calls itself.',
  },
  save: { zh: '保存', en: 'Save' },
  cancel: { zh: '取消', en: 'Cancel' },
  named: { zh: '已命名', en: 'The camera was named' },
});
