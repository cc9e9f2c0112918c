import { text } from 'node:stream/consumers';
import type { Language } from '../../common/message.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { userMessages } from './user-messages.ts';

/**
 * Where passwords of the command line come from: never an argument, which every process of the machine may
 * see.
 */
export interface PasswordSource {
  /**
   * Asked twice for, without echo. @throws UsageError without a terminal, when the two differ, or when broken
   * off
   */
  ask(): Promise<string>;
  /** All of standard input but the end of its last line. */
  read(): Promise<string>;
}

const ETX = '\u0003';
const EOT = '\u0004';
const BACKSPACE = /[\b\u007f]/;

type Messages = (typeof userMessages)[Language];

/** From the terminal, which speaks this language, or from what is piped in. */
export function terminalPasswords(language: Language): PasswordSource {
  const w = userMessages[language];
  return {
    ask: async () => {
      const stdin = process.stdin;
      if (!stdin.isTTY) throw new UsageError(w.noTerminal);
      // Before the prompt shows: what is typed at once must not be echoed either.
      stdin.setRawMode(true).setEncoding('utf8').resume();
      try {
        return await askTwice(keys(stdin), w);
      } finally {
        stdin.pause().setRawMode(false);
      }
    },
    read: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
  };
}

async function askTwice(typed: AsyncGenerator<string, void>, w: Messages): Promise<string> {
  const first = await line(w.ask, typed, w);
  if (first !== (await line(w.again, typed, w))) throw new UsageError(w.differ);
  return first;
}

/** Characters one by one, also when several lines come at once. */
async function* keys(stdin: NodeJS.ReadStream): AsyncGenerator<string, void> {
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) yield* chunk;
}

/** The prompt goes to standard error, so that the output can be piped. */
async function line(prompt: string, typed: AsyncGenerator<string, void>, w: Messages): Promise<string> {
  process.stderr.write(prompt);
  let so = '';
  for (;;) {
    const { value: key = EOT } = await typed.next();
    if (key === '\r' || key === '\n' || key === EOT || key === ETX) process.stderr.write('\n');
    if (key === ETX) throw new UsageError(w.brokenOff);
    if (key === '\r' || key === '\n' || key === EOT) return so;
    so = BACKSPACE.test(key) ? [...so].slice(0, -1).join('') : so + key;
  }
}
