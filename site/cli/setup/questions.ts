// What `setup` asks for, and which answers it takes.
import { type Language, sayer } from '../../../common/message.ts';
import { readShortCode } from '../../../common/secret/short-code.ts';
import { type Terminal, UsageError } from '../../../common/terminal/command.ts';
import type { LinkFault } from '../../site-messages.ts';
import { commandMessages } from '../command-messages.ts';
import type { Dialog } from '../dialog.ts';
import { type SetupMessages, setupMessages } from './setup-messages.ts';

/**
 * `url` and `key` are null for a site without headquarters; `key` may be a joining code. `instance` is null
 * where the joining code says it.
 */
export interface Answers {
  instance: string | null;
  url: string | null;
  key: string | null;
}

/** What the options of the command line say. */
interface Given {
  instance: string | undefined;
  url: string | undefined;
  key: string | undefined;
  code: string | undefined;
  noUplink: boolean;
}

export interface SetupQuestionsParts {
  given: Given;
  /** The settings of the file as it is. */
  before: Readonly<Record<string, string>>;
  /** The key that is kept from an earlier setup. */
  keptKey: string | null;
  /** null where nobody is there to ask. */
  dialog: Dialog | null;
  terminal: Terminal;
  language: Language;
}

const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
const isUrl = (text: string): boolean =>
  text === '' || text === '-' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
/** Whether it is a joining code rather than a key. */
export const isCode = (text: string): boolean => readShortCode(text) !== null;
const isKey = (text: string): boolean => /^[^\s:]+:\S+$/.test(text);

/** One thing that is asked for. */
interface Question {
  text: string;
  /** How it is given on the command line. */
  option: string;
  /** Why an answer cannot be taken; null: it can. */
  fault: (answer: string) => string | null;
}

/** An answer that stands already; an empty answer keeps it. */
interface CurrentAnswer {
  answer: string;
  /** What is shown of it. */
  shown: string;
}

const plain = (answer: string | null | undefined): CurrentAnswer | null =>
  answer ? { answer, shown: answer } : null;
/** The secret of a key is not shown. */
const masked = (key: string | null): CurrentAnswer | null =>
  key === null ? null : { answer: key, shown: `${key.slice(0, key.indexOf(':'))}:…` };

/**
 * Asks for what no option gives, where there is somebody to ask. What the file says already is offered, and
 * taken where nobody can be asked.
 */
export class SetupQuestions {
  readonly #parts: SetupQuestionsParts;
  #keptKey: string | null;
  #w: SetupMessages;
  #questions: Record<'name' | 'url' | 'key', Question>;

  constructor(parts: SetupQuestionsParts) {
    this.#parts = parts;
    this.#keptKey = parts.keptKey !== null && isKey(parts.keptKey) ? parts.keptKey : null;
    this.#w = sayer(setupMessages, parts.language);
    this.#questions = questionsIn(this.#w, parts.before.CORE_UPLINK_URL !== undefined);
  }

  /** @throws UsageError for an option that cannot be taken, or is missing where nobody is asked */
  async all(): Promise<Answers> {
    const { name, url: address, key: secret } = this.#questions;
    const { code } = this.#parts.given;
    const instance =
      code !== undefined && this.#parts.given.instance === undefined
        ? null
        : await this.#answer(
            this.#parts.given.instance ?? this.#saved('CORE_INSTANCE'),
            name,
            plain(this.#parts.before.CORE_INSTANCE),
          );
    const url = this.#parts.given.noUplink
      ? ''
      : await this.#answer(
          this.#parts.given.url ?? this.#saved('CORE_UPLINK_URL'),
          address,
          plain(this.#parts.before.CORE_UPLINK_URL),
        );
    if (url === '' || url === '-') return { instance, url: null, key: null };
    const kept = this.#parts.dialog ? undefined : (this.#keptKey ?? undefined);
    return {
      instance,
      url,
      key: await this.#answer(this.#parts.given.key ?? code ?? kept, secret, masked(this.#keptKey)),
    };
  }

  /** What stays of the file where nobody can be asked, so that options can change one thing alone. */
  #saved(name: 'CORE_INSTANCE' | 'CORE_UPLINK_URL'): string | undefined {
    return this.#parts.dialog ? undefined : this.#parts.before[name];
  }

  /** Asks again for what the fault of the link is about; the other answers stay. */
  async again(dialog: Dialog, fault: LinkFault['code'], answers: Answers): Promise<Answers> {
    const { name, url, key } = this.#questions;
    if (fault === 'test_key' || fault === 'join_code')
      return { ...answers, key: await this.#ask(dialog, key, null) };
    if (fault === 'test_instance')
      return { ...answers, instance: await this.#ask(dialog, name, plain(answers.instance)) };
    if (fault === 'test_clock' || fault === 'join_held_up') {
      await dialog.ask(fault === 'test_clock' ? this.#w('onceClockIsSet') : this.#w('tryAgain'));
      return answers;
    }
    const given = await this.#ask(dialog, url, plain(answers.url));
    return given === '-' ? { ...answers, url: null, key: null } : { ...answers, url: given };
  }

  async #answer(
    value: string | undefined,
    question: Question,
    standing: CurrentAnswer | null,
  ): Promise<string> {
    if (value === undefined && this.#parts.dialog) return this.#ask(this.#parts.dialog, question, standing);
    if (value === undefined) {
      const missing = sayer(commandMessages, this.#parts.language)('missing', { option: question.option });
      throw new UsageError(`${missing}\n${this.#w('help')}`);
    }
    const wrong = question.fault(value);
    if (wrong !== null) throw new UsageError(wrong);
    return value;
  }

  /** Asks until the answer is one that can be taken. */
  async #ask(dialog: Dialog, { text, fault }: Question, standing: CurrentAnswer | null): Promise<string> {
    const offered = standing === null ? '' : ` [${standing.shown}]`;
    for (;;) {
      const answer = (await dialog.ask(`${text}${offered}${this.#w('colon')}`)) || (standing?.answer ?? '');
      const wrong = fault(answer);
      if (wrong === null) return answer;
      this.#parts.terminal.out(`${wrong}\n`);
    }
  }
}

function questionsIn(w: SetupMessages, hasHub: boolean): Record<'name' | 'url' | 'key', Question> {
  return {
    name: { text: w('name'), option: '--instance', fault: (text) => (isName(text) ? null : w('badName')) },
    url: {
      text: `${w('url')}${hasHub ? w('noneIfDash') : w('noneIfEmpty')}`,
      option: w('urlOption'),
      fault: (text) => (isUrl(text) ? null : w('badUrl', { text })),
    },
    key: {
      text: w('key'),
      option: w('keyOption'),
      fault: (text) => (isKey(text) || isCode(text) ? null : w('badKey')),
    },
  };
}
