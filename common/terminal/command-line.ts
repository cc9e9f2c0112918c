// What is typed is read by commander, as the table of commands says. Its English messages are not shown:
// each fault is told by its code in the language of the terminal.
import { Command as Parser, CommanderError, Option } from 'commander';
import { type Language, sayer } from '../message.ts';
import { type Terminal, UsageError } from './command.ts';
import { type CommandLineMessages, commandLineMessages } from './command-line-messages.ts';
import { type Command, type CommandTable, type OptionSpec, usageOf } from './command-table.ts';
import { commandHelp, programHelp } from './help.ts';

/** A command and what was typed for it, checked. */
export interface Parsed<Context> {
  command: Command<Context>;
  typed: Readonly<Record<string, unknown>>;
}

interface Reading<Context> {
  table: CommandTable<Context>;
  language: Language;
  terminal: Terminal;
}

/**
 * Reads a command line. A help that was asked for is written. @returns null after a help
 * @throws UsageError with everything that is wrong, and where to read on
 */
export function readCommandLine<Context>(
  argv: readonly string[],
  { table, language, terminal }: Reading<Context>,
): Parsed<Context> | null {
  const asked = wordsOf(argv);
  let parsed: Parsed<Context> | null = null;
  const parser = parserOf(table, language, terminal, (command, values, positionals) => {
    parsed = { command, typed: typedOf(command, { values, positionals, table, language }) };
  });
  try {
    parser.parse(asked, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return null;
    throw new UsageError(faultText(error, { argv: asked, table, language }));
  }
  return parsed;
}

/** `help node add` is `node add --help`; `--version`, as other programs have it, is `version`. */
function wordsOf([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (first === 'help') return [...rest, '--help'];
  return [first === '--version' || first === '-V' ? 'version' : first, ...rest];
}

type Taken<Context> = (
  command: Command<Context>,
  values: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
) => void;

function parserOf<Context>(
  table: CommandTable<Context>,
  language: Language,
  terminal: Terminal,
  take: Taken<Context>,
): Parser {
  const silent = { outputError: () => undefined, writeErr: () => undefined };
  const root = plain(new Parser(table.name), () => programHelp(table, language), terminal);
  root.configureOutput({ ...silent, writeOut: (text) => terminal.out(text) });
  for (const command of table.commands) {
    const [first = '', second] = command.name.split(' ');
    const noun =
      second === undefined
        ? root
        : (root.commands.find((one) => one.name() === first) ??
          plain(root.command(first), () => programHelp(table, language, first), terminal));
    const leaf = plain(noun.command(second ?? first), () => commandHelp(table, command, language), terminal);
    for (const [name, spec] of Object.entries(command.options)) leaf.addOption(optionOf(name, spec));
    for (const [name, positional] of Object.entries(command.positionals))
      leaf.argument(positional.many ? `[${name}...]` : `[${name}]`);
    leaf.action(() => take(command, leaf.opts(), leaf.args));
  }
  return root;
}

/** No command ends the process by itself, and each has the help of the table. */
function plain(parser: Parser, help: () => string, terminal: Terminal): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help')
    .configureHelp({ formatHelp: help })
    .configureOutput({
      outputError: () => undefined,
      writeErr: () => undefined,
      writeOut: (text) => terminal.out(text),
    });
}

function optionOf(name: string, { value, multiple }: OptionSpec): Option {
  const option = new Option(`--${name}${value === undefined ? '' : ' <value>'}`);
  return multiple
    ? option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one])
    : option;
}

/** Checks what was typed against the table. @throws UsageError listing every fault */
function typedOf<Context>(
  command: Command<Context>,
  {
    values,
    positionals,
    table,
    language,
  }: {
    values: Readonly<Record<string, unknown>>;
    positionals: readonly string[];
    table: CommandTable<Context>;
    language: Language;
  },
): Record<string, unknown> {
  const w = sayer(commandLineMessages, language);
  const faults: string[] = [];
  const typed: Record<string, unknown> = {};
  Object.entries(command.positionals).forEach(([name, spec], at) => {
    const given = spec.many ? positionals.slice(at) : positionals[at];
    if (given === undefined && !spec.optional) faults.push(w('missing', { what: spec.value }));
    if (typeof given === 'string') faults.push(...notAmong(spec.value, given, spec.choices, w));
    typed[name] = given;
  });
  for (const [name, spec] of Object.entries(command.options)) {
    const given = valueOf(values, name);
    if (spec.required && (given === undefined || given === ''))
      faults.push(w('missing', { what: `--${name}` }));
    if (typeof given === 'string') faults.push(...notAmong(`--${name}`, given, spec.choices, w));
    const isNumber = !spec.number || given === undefined || Number.isFinite(numberOf(given));
    if (!isNumber) faults.push(w('notNumber', { option: `--${name}`, value: String(given) }));
    typed[name] = spec.value === undefined ? given === true : spec.number ? optionalNumber(given) : given;
  }
  if (faults.length > 0) throw new UsageError(withUsage(faults, { table, command, language }));
  return typed;
}

/** The parser names values in camel case, and takes `--no-test` for a `test` that is false. */
function valueOf(values: Readonly<Record<string, unknown>>, option: string): unknown {
  const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return option.startsWith('no-') ? values[camel(option.slice(3))] === false : values[camel(option)];
}

const numberOf = (given: unknown): number =>
  typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN;
const optionalNumber = (given: unknown): number | undefined =>
  given === undefined ? undefined : numberOf(given);

function notAmong(
  what: string,
  given: string,
  choices: readonly string[] | undefined,
  w: CommandLineMessages,
): string[] {
  return choices === undefined || choices.includes(given)
    ? []
    : [w('notOneOf', { what, choices: choices.join(w('comma')), value: given })];
}

/** The faults, how the command is typed, and where its help is. */
function withUsage<Context>(
  faults: readonly string[],
  {
    table,
    command,
    language,
  }: { table: CommandTable<Context>; command: Command<Context>; language: Language },
): string {
  const w = sayer(commandLineMessages, language);
  const line = `${table.name} ${command.name}`;
  return `${faults.join('\n  ')}\n${w('usage')}${table.name} ${usageOf(command)}\n${w('helpOf', { line })}`;
}

interface Faulty<Context> {
  argv: readonly string[];
  table: CommandTable<Context>;
  language: Language;
}

/** What is wrong by the code of the parser, whose message holds in quotes what it is about. */
function faultText<Context>(
  { code, message }: CommanderError,
  { argv, table, language }: Faulty<Context>,
): string {
  const w = sayer(commandLineMessages, language);
  const about = /'([^']*)'/.exec(message)?.[1] ?? '';
  const similar = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message)?.[1];
  const perhaps = similar === undefined ? '' : w('perhaps', { words: similar });
  const said = argv.filter((word) => !word.startsWith('-'));
  const command = table.commands.find(({ name }) => `${said.join(' ')} `.startsWith(`${name} `));
  const faults: Readonly<Record<string, string>> = {
    'commander.unknownOption': w('noOption', { option: about }) + perhaps,
    'commander.optionMissingArgument': w('noValue', { option: about.replace(/ <.*/, '') }),
    'commander.excessArguments': w('tooMany'),
  };
  const fault = faults[code];
  if (command && fault !== undefined) return withUsage([fault], { table, command, language });
  const [noun = ''] = said;
  const isNoun = Object.hasOwn(table.nouns, noun);
  const actions = table.commands.flatMap(({ name }) =>
    name.startsWith(`${noun} `) ? name.slice(noun.length + 1) : [],
  );
  const line = isNoun ? `${table.name} ${noun}` : table.name;
  const [first, rest] = isNoun ? [`${noun} `, actions.join(w('comma'))] : ['', ''];
  const told =
    code === 'commander.unknownCommand'
      ? w('noCommand', { words: first + about }) + perhaps
      : (fault ??
        (isNoun ? w('whichCommand', { words: noun, actions: rest }) : w('missing', { what: w('command') })));
  const usage = `${w('usage')}${line} ${isNoun ? actions.join('|') : w('command')}`;
  return `${told}\n${usage}\n${w('helpOf', { line })}`;
}
