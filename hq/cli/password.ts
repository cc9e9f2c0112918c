import { text } from 'node:stream/consumers';
import { UsageError } from '../../common/terminal/command.ts';

/** Where passwords of the command line come from: never an argument, which every process of the machine may see. */
export interface PasswordSource {
  /** Asked twice for, without echo. @throws UsageError without a terminal, when the two differ, or when broken off */
  ask(): Promise<string>;
  /** All of standard input but the end of its last line. */
  read(): Promise<string>;
}

const ETX = '\u0003';
const EOT = '\u0004';
const BACKSPACE = /[\b\u007f]/;

export const standardPasswords: PasswordSource = {
  ask: async () => {
    if (!process.stdin.isTTY) throw new UsageError('there is no terminal to ask for the password; give --password-stdin and pipe it in');
    const first = await hidden('Password: ');
    if (first !== (await hidden('Once more: '))) throw new UsageError('the two are not the same; nothing was changed');
    return first;
  },
  read: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
};

/** The prompt goes to standard error, so that the output can be piped. */
function hidden(prompt: string): Promise<string> {
  const { stdin } = process;
  process.stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8').resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const done = (settle: () => void): void => {
      stdin.removeListener('data', onData).pause().setRawMode(false);
      process.stderr.write('\n');
      settle();
    };
    const onData = (chunk: string): void => {
      for (const character of chunk) {
        if (character === ETX) return done(() => reject(new UsageError('broken off; nothing was changed')));
        if (character === '\r' || character === '\n' || character === EOT) return done(() => resolve(typed));
        typed = BACKSPACE.test(character) ? [...typed].slice(0, -1).join('') : typed + character;
      }
    };
    stdin.on('data', onData);
  });
}
