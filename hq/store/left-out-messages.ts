import { sentences } from '../../common/message.ts';

/** The alarm about rows that background work left out, and what each such work is called. */
export const leftOutMessages = {
  rows_left_out: sentences(
    [
      '{work}: {count} {count|row|rows} could not be taken and {count|is|are} left out, the first is number ',
      '{row}; everything else goes on. They are tried again every hour. The reason is with the alarm.',
    ],
    [
      '{work}：有 {count} 条记录无法处理，已跳过，第一条的编号为 {row}；其余照常处理。',
      '被跳过的记录每小时重试一次，原因见告警详情。',
    ],
  ),
  work_event_index: sentences('Index of events for lists and statistics', '列表和统计所用的事件索引'),
  work_task_counts: sentences('Counts of tasks', '任务统计'),
  work_dataset_counts: sentences('Dataset of event counts', '事件统计数据集'),
  work_dataset_verdicts: sentences('Verdicts in the dataset of event counts', '事件统计数据集中的研判'),
};
