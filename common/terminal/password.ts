import { text } from 'node:stream/consumers';
import { type Language, type Say, sayer } from '../message.ts';
import { UsageError } from './command.ts';
import { passwordMessages } from './password-messages.ts';

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
  /** The same, asked once: a password that was set elsewhere, where a wrong one is soon noticed. */
  askOnce(): Promise<string>;
  /** All of standard input but the end of its last line. */
  read(): Promise<string>;
}

const ETX = '\u0003';
const EOT = '\u0004';
const BACKSPACE = /[\b\u007f]/;

type Words = Say<typeof passwordMessages>;

/**
 * From the terminal, or from what is piped in.
 * @param prompt what is asked for, in the language of the reader
 */
export function terminalPasswords(prompt: string, language: Language): PasswordSource {
  const w = sayer(passwordMessages, language);
  return {
    ask: () => atTerminal(w, (typed) => askTwice(prompt, typed, w)),
    askOnce: () => atTerminal(w, (typed) => line(prompt, typed, w)),
    read: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
  };
}

type Keys = AsyncGenerator<string, void>;

async function atTerminal(w: Words, ask: (typed: Keys) => Promise<string>): Promise<string> {
  const stdin = process.stdin;
  if (!stdin.isTTY) throw new UsageError(w('noTerminal'));
  // Before the prompt shows: what is typed at once must not be echoed either.
  stdin.setRawMode(true).setEncoding('utf8').resume();
  try {
    return await ask(keys(stdin));
  } finally {
    stdin.pause().setRawMode(false);
  }
}

async function askTwice(prompt: string, typed: Keys, w: Words): Promise<string> {
  const first = await line(prompt, typed, w);
  if (first !== (await line(w('again'), typed, w))) throw new UsageError(w('differ'));
  return first;
}

/** Characters one by one, also when several lines come at once. */
async function* keys(stdin: NodeJS.ReadStream): Keys {
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) yield* chunk;
}

/** The prompt goes to standard error, so that the output can be piped. */
async function line(prompt: string, typed: Keys, w: Words): Promise<string> {
  process.stderr.write(prompt);
  let so = '';
  for (;;) {
    const { value: key = EOT } = await typed.next();
    if (key === '\r' || key === '\n' || key === EOT || key === ETX) process.stderr.write('\n');
    if (key === ETX) throw new UsageError(w('brokenOff'));
    if (key === '\r' || key === '\n' || key === EOT) return so;
    so = BACKSPACE.test(key) ? [...so].slice(0, -1).join('') : so + key;
  }
}
