import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { siteCommand } from '../context.ts';

export const rulesCommands = [
  siteCommand({
    name: 'rules test',
    summary: {
      en: 'tell what rules would do about recorded events; nothing is stored',
      zh: '用录制的事件演练规则，不保存任何数据',
    },
    positionals: {
      events: {
        value: 'EVENTS',
        file: true,
        summary: {
          en: 'file with events: a JSON list, or one JSON object a line',
          zh: '事件文件：JSON 数组，或每行一个 JSON 对象',
        },
      },
    },
    options: {
      rules: {
        value: 'FILE',
        file: true,
        summary: {
          en: 'JSON list of rules; those of the running site without it',
          zh: '规则的 JSON 数组；默认用运行中站点的规则',
        },
      },
      why: { summary: { en: 'for each event, what each rule said', zh: '逐条显示每条规则的判断' } },
      json: JSON_OPTION,
    },
    exits: {
      1: { en: 'an event or a rule has faults', zh: '有事件或规则有误' },
    },
    run: async (typed, context) => (await import('../rules.ts')).testRules(typed, context),
  }),
];
