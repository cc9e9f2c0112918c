import { sentences } from '../../message.ts';

/** The alarm about rows that background work left out, and what each such work is called. */
export const leftOutMessages = {
  rows_left_out: sentences(
    [
      '{work}: {count} {count|row|rows} could not be taken and {count|is|are} left out, the first is number ',
      '{row}; everything else goes on. They are tried again, at least once an hour. The reason is with the ',
      'alarm.',
    ],
    [
      '{work}：有 {count} 条记录无法处理，已跳过，第一条的编号为 {row}；其余照常处理。',
      '被跳过的记录至少每小时重试一次，原因见告警详情。',
    ],
  ),
  work_event_index: sentences('Index of events for lists and statistics', '列表和统计所用的事件索引'),
  work_task_counts: sentences('Counts of tasks', '任务统计'),
  work_dataset_counts: sentences('Dataset of event counts', '事件统计数据集'),
  work_dataset_verdicts: sentences('Verdicts in the dataset of event counts', '事件统计数据集中的研判'),
  work_escalation: sentences('Escalation of tasks (numbers of tasks)', '任务逾期升级（编号为任务编号）'),
  work_incident_groups: sentences(
    'Grouping of events (numbers of the first event of a group)',
    '事件归并（编号为组内首个事件编号）',
  ),
  work_summaries: sentences('Summaries of tasks (numbers of events)', '任务摘要（编号为事件编号）'),
};
