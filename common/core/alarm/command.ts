import { sayer } from '../../message.ts';
import type { ApiClient } from '../../terminal/api.ts';
import type { Terminal } from '../../terminal/command.ts';
import { type Command, commandsFor, JSON_OPTION } from '../../terminal/command-table.ts';
import { EXIT } from '../../terminal/exit.ts';
import { localTimeWithZone } from '../../terminal/local-time.ts';
import { columns, renderTable } from '../../terminal/table.ts';
import { timesShown } from '../../time.ts';
import { alarmCommandMessages } from './command-messages.ts';

export interface AlarmContext {
  readonly api: ApiClient;
  readonly terminal: Terminal;
  readonly language: 'en' | 'zh';
  /** A time as it is shown to the person at the terminal. */
  time: (rfc3339: string) => string;
}

interface AlarmView {
  key: string;
  /** What people call the instance; older programs do not say it. */
  called?: string;
  instance: string;
  severity: 'warning' | 'critical';
  message: string;
  messageZh: string | null;
  raisedAt: string;
  count: number;
  clearedAt: string | null;
  takenBy: string | null;
}

const LIMIT = 500;
const KEY = { value: 'KEY', summary: { en: 'key of the alarm', zh: '告警代码' } } as const;
const AT = {
  value: 'INSTANCE',
  summary: { en: 'site that it stands at, where it is not this program', zh: '告警所在的站点，默认为本程序' },
} as const;

/** `alarms list|take|clear`: what needs a person, at the running program. */
export function alarmCommands<Context extends AlarmContext>(): Command<Context>[] {
  const command = commandsFor<Context>();
  return [
    command({
      name: 'alarms list',
      summary: { en: 'list the alarms that stand, worst first', zh: '列出当前告警，最严重的在前' },
      options: {
        all: { summary: { en: 'also those that were cleared', zh: '包括已清除的' } },
        json: JSON_OPTION,
      },
      looks: true,
      run: (typed, context) => list(typed, context),
    }),
    takeCommand<Context>(),
    command({
      name: 'alarms clear',
      summary: { en: 'say that an alarm was dealt with', zh: '清除已处理的告警' },
      description: { en: 'If its cause is still there it comes again.', zh: '若原因仍在，会再次告警。' },
      positionals: { key: KEY },
      options: {
        by: { value: 'NAME', required: true, summary: { en: 'who dealt with it', zh: '处理人' } },
        note: { value: 'TEXT', summary: { en: 'what was done', zh: '处理说明' } },
        at: AT,
      },
      examples: [
        {
          line: "alarms clear camera_silent:gate-1 --by li --note 'new power supply'",
          what: { en: 'the key is the one that alarms list shows', zh: '告警代码见 alarms list' },
        },
      ],
      run: async ({ key, by, note, at }, { api, terminal, language }) => {
        await api.call('POST', '/api/core/alarms/clear', { key, by, note, instance: at });
        terminal.out(`${sayer(alarmCommandMessages, language)('done', { key })}\n`);
        return EXIT.well;
      },
    }),
  ];
}

function takeCommand<Context extends AlarmContext>(): Command<Context> {
  return commandsFor<Context>()({
    name: 'alarms take',
    summary: {
      en: 'say that you take care of an alarm: channels do not tell it again',
      zh: '接手告警：通知渠道不再重复提醒',
    },
    positionals: { key: KEY },
    options: {
      by: { value: 'NAME', required: true, summary: { en: 'who takes care of it', zh: '接手人' } },
      note: { value: 'TEXT', summary: { en: 'what is done', zh: '处理说明' } },
      at: AT,
    },
    run: async ({ key, by, note, at }, { api, terminal, language }) => {
      await api.call('POST', '/api/core/alarms/take', { key, by, note, instance: at });
      terminal.out(`${sayer(alarmCommandMessages, language)('taken', { key, by })}\n`);
      return EXIT.well;
    },
  });
}

async function list(
  { all, json }: { all: boolean; json: boolean },
  { api, terminal, language, time }: AlarmContext,
): Promise<number> {
  const { items, hasMore } = await api.call<{ items: AlarmView[]; hasMore: boolean }>(
    'GET',
    `/api/core/alarms?limit=${LIMIT}${all ? '&include_cleared=true' : ''}`,
  );
  const worstFirst = items.toSorted((a, b) => rank(a) - rank(b));
  if (json) {
    terminal.out(`${JSON.stringify({ items: worstFirst, hasMore })}\n`);
    return EXIT.well;
  }
  const w = sayer(alarmCommandMessages, language);
  const rows = worstFirst.map((one) => [
    one.clearedAt === null ? w(`severity_${one.severity}`) : w('cleared', { at: time(one.clearedAt) }),
    one.takenBy ?? '-',
    one.key,
    one.called ?? one.instance,
    time(one.raisedAt),
    String(one.count),
    timesShown((language === 'zh' ? one.messageZh : null) ?? one.message, localTimeWithZone),
  ]);
  terminal.out(rows.length === 0 ? `${w('none')}\n` : renderTable(columns(w('head')), rows));
  if (hasMore) terminal.out(`${w('more')}\n`);
  return EXIT.well;
}

/** Those that stand before those that were cleared, critical ones first; the order of time is kept. */
const rank = ({ clearedAt, severity }: AlarmView): number =>
  (clearedAt === null ? 0 : 2) + (severity === 'critical' ? 0 : 1);
