import { type Language, sayer } from '../../message.ts';
import { type Terminal, UsageError } from '../command.ts';
import { type Command, commandsFor, JSON_OPTION } from '../command-table.ts';
import { EXIT } from '../exit.ts';
import { type Level, LEVELS, renderEntry } from './entry.ts';
import { NoJournal, readJournal } from './journal.ts';
import { journalMessages } from './journal-messages.ts';

interface JournalContext {
  readonly terminal: Terminal;
  readonly language: Language;
}

interface Asked {
  lines: number | undefined;
  since: string | undefined;
  level: Level | undefined;
  follow: boolean;
  json: boolean;
}

const LINES = 50;
const MOST = 100_000;

/** `logs`: what a service wrote into the journal of systemd. @param unit `fieldline-site.service` */
export function logsCommand<Context extends JournalContext>(unit: string): Command<Context> {
  return commandsFor<Context>()({
    name: 'logs',
    summary: { en: 'show what the service wrote into the journal', zh: '显示服务写入系统日志的内容' },
    options: {
      lines: {
        value: 'COUNT',
        number: true,
        summary: {
          en: `the last so many; ${LINES} without --since`,
          zh: `最后若干行；未用 --since 时为 ${LINES}`,
        },
      },
      since: {
        value: 'TIME',
        summary: {
          en: 'from then on, as journalctl takes it: -1h, yesterday',
          zh: '起始时间，如 -1h、yesterday',
        },
      },
      level: {
        value: 'LEVEL',
        choices: LEVELS,
        summary: { en: 'this level and worse', zh: '此级别及更严重的' },
      },
      follow: {
        summary: { en: 'go on with what comes, until Ctrl-C', zh: '持续显示新内容，按 Ctrl-C 结束' },
      },
      json: JSON_OPTION,
    },
    examples: [
      {
        line: 'logs --since -2h --level warn',
        what: { en: 'what went wrong in the last two hours', zh: '最近两小时的异常' },
      },
    ],
    run: (typed, context) => logs(unit, typed, context),
  });
}

async function logs(unit: string, asked: Asked, { terminal, language }: JournalContext): Promise<number> {
  const w = sayer(journalMessages, language);
  const { since, level, follow, json } = asked;
  const lines = asked.lines ?? (since === undefined ? LINES : undefined);
  if (lines !== undefined && !(Number.isInteger(lines) && lines >= 1 && lines <= MOST))
    throw new UsageError(`--lines: 1 … ${MOST}`);
  let shown = 0;
  try {
    await readJournal({ unit, lines, since, level, follow }, (entry) => {
      shown += 1;
      terminal.out(
        json
          ? `${JSON.stringify({ ...entry, at: new Date(entry.at).toISOString() })}\n`
          : `${renderEntry(entry)}\n`,
      );
    });
  } catch (error) {
    if (error instanceof NoJournal) throw new UsageError(w('missing'));
    throw new UsageError(w('refused', { said: ` ${(error as Error).message}` }));
  }
  if (shown === 0 && !json) terminal.out(`${w('none', { unit })}\n`);
  return EXIT.well;
}
