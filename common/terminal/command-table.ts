// The commands of a program, as data: the parser, the help, the manual page and the completions are made of
// this one table.
import type { Language } from '../message.ts';

/** What a person reads, in both languages. */
export type Text = Readonly<Record<Language, string>>;

export interface OptionSpec {
  /** What stands for its value in the help, `HOURS`; without it the option is a switch. */
  value?: string;
  summary: Text;
  required?: true;
  /** May be given more than once. */
  multiple?: true;
  number?: true;
  choices?: readonly string[];
  /** Its value is the name of a file. */
  file?: true;
}

export interface PositionalSpec {
  /** What stands for it in the help, `FILE`. */
  value: string;
  summary: Text;
  optional?: true;
  /** The last one only: takes all words that are left, and may take none. */
  many?: true;
  choices?: readonly string[];
  file?: true;
}

type Options = Readonly<Record<string, OptionSpec>>;
type Positionals = Readonly<Record<string, PositionalSpec>>;

type Single<S> = S extends { choices: readonly (infer C)[] }
  ? C
  : S extends { number: true }
    ? number
    : S extends { value: string }
      ? string
      : boolean;
type OptionValue<S> = S extends { multiple: true }
  ? S extends { required: true }
    ? Single<S>[]
    : Single<S>[] | undefined
  : S extends { required: true }
    ? Single<S>
    : S extends { value: string }
      ? Single<S> | undefined
      : boolean;
type PositionalValue<S> = S extends { many: true }
  ? Single<S>[]
  : S extends { optional: true }
    ? Single<S> | undefined
    : Single<S>;

/** What was typed, by the names of options and positionals; already checked against the table. */
export type Typed<O, W> = { [K in keyof O]: OptionValue<O[K]> } & { [K in keyof W]: PositionalValue<W[K]> };

export interface Example {
  line: string;
  what: Text;
}

interface Described {
  /** As it is typed: `node add`. */
  name: string;
  summary: Text;
  /** What else must be known of it. */
  description?: Text;
  examples?: readonly Example[];
  /** What an exit code means here, where the table of all commands does not say it. */
  exits?: Readonly<Record<number, Text>>;
  /** Only looks, and may not make a person wait long. */
  looks?: true;
}

/** One command. `Context` is what every command of the program is given beside what was typed. */
export interface Command<Context> extends Described {
  options: Options;
  positionals: Positionals;
  /** @returns the exit code */
  run: (typed: never, context: Context) => Promise<number>;
}

/** Makes the commands of a program. What a command is given has the types of its options and positionals. */
export function commandsFor<Context>() {
  return function command<
    const O extends Options = Record<never, never>,
    const W extends Positionals = Record<never, never>,
  >(
    spec: Described & {
      options?: O;
      positionals?: W;
      run: (typed: Typed<O, W>, context: Context) => Promise<number>;
    },
  ): Command<Context> {
    return { ...spec, options: spec.options ?? {}, positionals: spec.positionals ?? {} };
  };
}

/** `--json` of a command that shows something. */
export const JSON_OPTION = {
  summary: { en: 'as JSON, for programs', zh: '以 JSON 输出，供程序使用' },
} as const satisfies OptionSpec;

/** `--overlap-hours` of every key that can be given a new secret. */
export const OVERLAP_HOURS = {
  value: 'HOURS',
  number: true,
  summary: {
    en: 'how long the old secret works on; 24 without it, 0 ends it at once',
    zh: '旧密钥继续有效的小时数；默认 24，0 为立即失效',
  },
} as const satisfies OptionSpec;

export interface CommandTable<Context> {
  /** Name of the program. */
  name: string;
  summary: Text;
  /** What each first word that has commands below it is about. */
  nouns: Readonly<Record<string, Text>>;
  /** In the order in which the help shows them. */
  commands: readonly Command<Context>[];
  /** What holds for all commands. */
  notes: readonly Text[];
}

/** What every command takes. */
export const COMMON_OPTIONS = {
  lang: {
    value: 'zh|en',
    summary: { en: 'language of what is told; else that of the terminal', zh: '显示语言；默认跟随终端' },
    choices: ['zh', 'en'],
  },
  help: { summary: { en: 'show this help, and do nothing', zh: '显示帮助，不执行任何操作' } },
} as const satisfies Options;

export const EXIT_CODES: Readonly<Record<number, Text>> = {
  0: { en: 'done; of status and check: all is well', zh: '完成；status 和 check：一切正常' },
  1: {
    en: 'done, and somebody should look at it: a warning, or a part of it was refused',
    zh: '完成，但需要查看：有警告，或部分被拒绝',
  },
  2: {
    en: 'not done, or not well: the program does not run, it refused, or the command line is wrong',
    zh: '未完成或有故障：程序未运行、被拒绝，或命令有误',
  },
};

/** A command as the help shows it, with its options: `node rotate KEY [--overlap-hours H]`. */
export function usageOf({ name, options, positionals }: Command<never>): string {
  return [
    name,
    ...Object.values(positionals).map((positional) =>
      positional.many
        ? `[${positional.value} ...]`
        : positional.optional
          ? `[${positional.value}]`
          : positional.value,
    ),
    ...Object.entries(options).map(([option, spec]) => {
      const text = `--${option}${spec.value === undefined ? '' : ` ${spec.value}`}`;
      const more = spec.multiple ? ' ...' : '';
      return spec.required ? `${text}${spec.multiple ? ` [${text}${more}]` : ''}` : `[${text}${more}]`;
    }),
  ].join(' ');
}
