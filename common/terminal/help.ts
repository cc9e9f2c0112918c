// The help of a program and of its commands, made from the table of commands.
import { type Language, sayer } from '../message.ts';
import { commandLineMessages } from './command-line-messages.ts';
import {
  type Command,
  type CommandTable,
  COMMON_OPTIONS,
  EXIT_CODES,
  type OptionSpec,
  type PositionalSpec,
  usageOf,
} from './command-table.ts';
import { fold } from './fold.ts';
import { displayWidth } from './table.ts';

/** Columns of a help, also where no terminal says how many it has. */
const WIDTH = 96;
/** A term that is longer has its explanation in the lines below it. */
const TERM = 34;

/** All commands with a line each; with `noun` those below that word. */
export function programHelp<Context>(
  table: CommandTable<Context>,
  language: Language,
  noun: string | null = null,
): string {
  const w = sayer(commandLineMessages, language);
  const shown = table.commands.filter(({ name }) => noun === null || name.startsWith(`${noun} `));
  const summary = noun === null ? table.summary : table.nouns[noun];
  return [
    `${w('usage')}${table.name} ${noun === null ? '' : `${noun} `}${w('command')} ...`,
    ...fold(summary?.[language] ?? '', WIDTH),
    '',
    w('commands'),
    ...rows(shown.map((command) => [termOf(command), command.summary[language]])),
    '',
    ...commonOptions(language),
    ...(noun === null
      ? ['', ...exitCodes({}, language), '', ...table.notes.flatMap((note) => fold(note[language], WIDTH))]
      : []),
    ...fold(w('moreHelp', { program: table.name }), WIDTH),
    '',
  ].join('\n');
}

/** Everything about one command. */
export function commandHelp<Context>(
  table: CommandTable<Context>,
  command: Command<Context>,
  language: Language,
): string {
  const w = sayer(commandLineMessages, language);
  const positionals = Object.values(command.positionals).map(
    (positional) => [positional.value, explained(positional, language)] as const,
  );
  const options = Object.entries(command.options).map(
    ([name, spec]) => [optionTerm(name, spec), explained(spec, language)] as const,
  );
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  return [
    `${w('usage')}${table.name} ${usageOf(command)}`,
    '',
    ...fold(sentence(command.summary[language], language), WIDTH),
    ...(command.description ? fold(command.description[language], WIDTH) : []),
    ...section(w('arguments'), rows(positionals)),
    ...section(w('options'), rows(options)),
    '',
    ...commonOptions(language),
    ...section(
      w('examples'),
      (command.examples ?? []).flatMap(({ line, what }) => [
        ...fold(what[language], WIDTH - 2).map((one) => `  # ${one}`),
        `  ${table.name} ${line}`,
      ]),
    ),
    '',
    ...exitCodes(command.exits ?? {}, language),
    '',
  ].join('\n');
}

const termOf = ({ name, positionals }: Command<never>): string =>
  usageOf({ ...({} as Command<never>), name, positionals, options: {} });

export const optionTerm = (name: string, { value }: OptionSpec): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}`;

/** What an option or positional is for, with what it must be. */
export function explained(spec: OptionSpec | PositionalSpec, language: Language): string {
  const w = sayer(commandLineMessages, language);
  const must = [
    ...('required' in spec && spec.required ? [w('required')] : []),
    ...(spec.choices && spec.choices.join('|') !== spec.value
      ? [w('oneOf', { choices: spec.choices.join(w('comma')) })]
      : []),
  ];
  const more = must.length === 0 ? '' : w('inBrackets', { text: must.join(w('comma')) });
  return `${spec.summary[language]}${more}`;
}

/** A summary as a sentence of its own. */
export const sentence = (summary: string, language: Language): string =>
  language === 'zh' ? `${summary}。` : `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;

function commonOptions(language: Language): string[] {
  const options: Readonly<Record<string, OptionSpec>> = COMMON_OPTIONS;
  return [
    sayer(commandLineMessages, language)('allOptions'),
    ...rows(
      Object.entries(options).map(
        ([name, spec]) => [optionTerm(name, spec), spec.summary[language]] as const,
      ),
    ),
  ];
}

function exitCodes(own: Command<never>['exits'] & object, language: Language): string[] {
  const all = { ...EXIT_CODES, ...own };
  return [
    sayer(commandLineMessages, language)('exits'),
    ...rows(Object.entries(all).map(([code, text]) => [code, text[language]] as const)),
  ];
}

/** Terms and what they mean in two columns. */
function rows(all: readonly (readonly [term: string, text: string])[]): string[] {
  const width = Math.max(0, ...all.map(([term]) => displayWidth(term)).filter((one) => one <= TERM));
  return all.flatMap(([term, text]) => {
    const lines = fold(text, WIDTH - width - 4);
    const indent = ' '.repeat(width + 4);
    if (displayWidth(term) > width) return [`  ${term}`, ...lines.map((line) => indent + line)];
    const [first = '', ...more] = lines;
    return [
      `  ${term}${' '.repeat(width - displayWidth(term) + 2)}${first}`,
      ...more.map((line) => indent + line),
    ];
  });
}
