import { text } from 'node:stream/consumers';
import { UsageError } from '../../common/terminal/command.ts';

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

export const standardPasswords: PasswordSource = {
  ask: async () => {
    const stdin = process.stdin;
    if (!stdin.isTTY)
      throw new UsageError(
        'there is no terminal to ask for the password; give --password-stdin and pipe it in',
      );
    // Before the prompt shows: what is typed at once must not be echoed either.
    stdin.setRawMode(true).setEncoding('utf8').resume();
    try {
      return await askTwice(keys(stdin));
    } finally {
      stdin.pause().setRawMode(false);
    }
  },
  read: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
};

async function askTwice(typed: AsyncGenerator<string, void>): Promise<string> {
  const first = await line('Password: ', typed);
  if (first !== (await line('Once more: ', typed)))
    throw new UsageError('the two are not the same; nothing was changed');
  return first;
}

/** Characters one by one, also when several lines come at once. */
async function* keys(stdin: NodeJS.ReadStream): AsyncGenerator<string, void> {
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) yield* chunk;
}

/** The prompt goes to standard error, so that the output can be piped. */
async function line(prompt: string, typed: AsyncGenerator<string, void>): Promise<string> {
  process.stderr.write(prompt);
  let so = '';
  for (;;) {
    const { value: key = EOT } = await typed.next();
    if (key === '\r' || key === '\n' || key === EOT || key === ETX) process.stderr.write('\n');
    if (key === ETX) throw new UsageError('broken off; nothing was changed');
    if (key === '\r' || key === '\n' || key === EOT) return so;
    so = BACKSPACE.test(key) ? [...so].slice(0, -1).join('') : so + key;
  }
}
