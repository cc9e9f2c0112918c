// What `setup` asks for, and which answers it takes.
import type { Language } from '../../common/message.ts';
import { UsageError, type Terminal } from '../../common/terminal/command.ts';
import { commandMessages } from './command-messages.ts';
import { Dialog } from './dialog.ts';
import { setupMessages, type SetupMessages } from './setup-messages.ts';

interface Answers {
  instance: string;
  url: string | null;
  key: string | null;
}

/** What the options of the command line say. */
interface Given {
  instance: string | undefined;
  url: string | undefined;
  key: string | undefined;
  noUplink: boolean;
}

const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
const isUrl = (text: string): boolean =>
  text === '' || text === '-' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
const isKey = (text: string): boolean => /^[^\s:]+:\S+$/.test(text);

/** One thing that is asked for. */
interface Question {
  text: string;
  /** What the file has already; an empty answer keeps it. */
  standard?: string | undefined;
  /** How it is given on the command line. */
  option: string;
  /** Why an answer cannot be taken; null: it can. */
  fault: (answer: string) => string | null;
}

/** Asks until the answer is one that can be taken. */
async function ask(
  { text, standard, fault }: Question,
  dialog: Dialog,
  terminal: Terminal,
  w: SetupMessages,
): Promise<string> {
  const offered = standard === undefined ? '' : ` [${standard}]`;
  for (;;) {
    const answer = (await dialog.ask(`${text}${offered}${w.colon}`)) || (standard ?? '');
    const wrong = fault(answer);
    if (wrong === null) return answer;
    terminal.out(`${wrong}\n`);
  }
}

/** @throws UsageError for one that cannot be taken */
function taken(given: string, { fault }: Question): string {
  const wrong = fault(given);
  if (wrong !== null) throw new UsageError(wrong);
  return given;
}

/**
 * What is not given by an option is asked for where there is somebody to ask; what the file says already is
 * offered.
 */
export async function complete(
  given: Given,
  {
    before,
    terminal,
    language,
  }: { before: Readonly<Record<string, string>>; terminal: Terminal; language: Language },
): Promise<Answers> {
  const w = setupMessages[language];
  const dialog = process.stdin.isTTY ? new Dialog(process.stdin, process.stdout, w.nothingSaved) : null;
  const answer = async (value: string | undefined, question: Question): Promise<string> => {
    if (value !== undefined) return taken(value, question);
    if (dialog) return ask(question, dialog, terminal, w);
    throw new UsageError(`${commandMessages[language].missing(question.option)}\n${w.help}`);
  };
  const { name, url: address, key: secret } = questions(before, w);
  try {
    const instance = await answer(given.instance, name);
    const url = given.noUplink ? '' : await answer(given.url, address);
    if (url === '' || url === '-') return { instance, url: null, key: null };
    return { instance, url, key: await answer(given.key, secret) };
  } finally {
    dialog?.close();
    if (dialog) terminal.out('\n');
  }
}

function questions(
  before: Readonly<Record<string, string>>,
  w: SetupMessages,
): Record<'name' | 'url' | 'key', Question> {
  return {
    name: {
      text: w.name,
      standard: before.CORE_INSTANCE,
      option: '--instance',
      fault: (text) => (isName(text) ? null : w.badName),
    },
    url: {
      text: `${w.url}${before.CORE_UPLINK_URL === undefined ? w.noneIfEmpty : w.noneIfDash}`,
      standard: before.CORE_UPLINK_URL,
      option: w.urlOption,
      fault: (text) => (isUrl(text) ? null : w.badUrl(text)),
    },
    key: {
      text: w.key,
      option: w.keyOption,
      fault: (text) => (isKey(text) ? null : w.badKey),
    },
  };
}
