import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { siteCommand } from '../context.ts';

const CHANNELS = ['events', 'verdicts'] as const;
const CHANNEL = {
  value: 'CHANNEL',
  choices: CHANNELS,
  summary: { en: 'kind of data', zh: '数据种类' },
} as const;
const ID = {
  value: 'ID',
  summary: { en: 'id, as parked list shows it', zh: '编号，见 parked list' },
} as const;

/** What headquarters refused. */
export const parkedCommands = [
  siteCommand({
    name: 'parked list',
    summary: { en: 'list what headquarters refused, with the reason', zh: '列出总部拒收的数据及原因' },
    options: {
      channel: CHANNEL,
      all: { summary: { en: 'also what was sent again or given up', zh: '包括已重发和已放弃的' } },
      json: JSON_OPTION,
    },
    looks: true,
    run: async (typed, context) => (await import('../parked.ts')).listParked(typed, context),
  }),
  siteCommand({
    name: 'parked show',
    summary: { en: 'show one item, with what it is about', zh: '显示其中一条及其内容' },
    positionals: { channel: CHANNEL, id: ID },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../parked.ts')).showParked(typed, context),
  }),
  siteCommand({
    name: 'parked replay',
    summary: {
      en: 'send it again: all, those of a channel, or some',
      zh: '重新上传：全部、某个通道或指定编号',
    },
    positionals: {
      ids: { value: 'ID', many: true, summary: { en: 'ids of the channel', zh: '该通道中的编号' } },
    },
    options: { channel: CHANNEL },
    exits: { 1: { en: 'some were refused again', zh: '部分再次被拒收' } },
    examples: [
      {
        line: 'parked replay --channel events 17 18',
        what: { en: 'two events', zh: '两个事件' },
      },
    ],
    run: async (typed, context) => (await import('../parked.ts')).replayParked(typed, context),
  }),
  siteCommand({
    name: 'parked discard',
    summary: { en: 'give one item up; the audit keeps who did', zh: '放弃其中一条；审计中留有记录' },
    positionals: { channel: CHANNEL, id: ID },
    options: {
      by: { value: 'NAME', required: true, summary: { en: 'who decides so', zh: '决定人' } },
    },
    run: async (typed, context) => (await import('../parked.ts')).discardParked(typed, context),
  }),
];
