// The manual page, made from the table of commands of the program and from the pages.
import { type Language, type MessageOf, say } from '../../common/message.ts';
import {
  type Command,
  type CommandTable,
  COMMON_OPTIONS,
  EXIT_CODES,
  type OptionSpec,
  type PositionalSpec,
} from '../../common/terminal/command-table.ts';
import { explained, optionTerm, sentence } from '../../common/terminal/help.ts';
import { manualMessages } from './manual-messages.ts';
import { signingBlock, variableRows } from './pages.ts';
import type { Product } from './product.ts';

interface Edition {
  table: CommandTable<never>;
  version: string;
  /** Seconds. */
  epoch: number;
  language: Language;
}

/** The language of a page, and its words. */
interface Words {
  language: Language;
  w: (message: MessageOf<typeof manualMessages>) => string;
}

/**
 * A page of section 8 in roff. What the variables mean stands in English in both: it comes from the page of
 * the configuration.
 */
export function manualText(product: Product, { table, version, epoch, language }: Edition): string {
  const { name, program } = product;
  const w: Words['w'] = (message) => escaped(say(manualMessages, message, language));
  const plain = (code: Plain): string => w({ code, params: {} });
  const [summary, description] =
    language === 'en' ? [product.summary, product.description] : [table.summary.zh, [table.summary.zh]];
  const date = new Date(epoch * 1000).toISOString().slice(0, 10);
  return [
    `.TH ${name.toUpperCase()} 8 "${date}" "${name} ${version}" "Fieldline"`,
    // Lines stay ragged: long words of commands and variables cannot be spread.
    '.ad l',
    `.SH ${plain('name')}`,
    `${name} \\- ${escaped(summary)}`,
    `.SH ${plain('synopsis')}`,
    `.B ${escaped(name)}`,
    `.I ${plain('command')}`,
    `.RI [ ${plain('options')} ]`,
    `.SH ${plain('description')}`,
    ...description.map(escaped),
    ...table.notes.flatMap((note) => ['.PP', escaped(note[language])]),
    `.SH ${plain('commands')}`,
    ...table.commands.flatMap((command) => commandSection(table.name, command, { language, w })),
    `.SH ${plain('every_command')}`,
    ...terms(COMMON_OPTIONS, language),
    `.SH ${plain('exit_status')}`,
    ...exitCodes(EXIT_CODES, language),
    `.SH ${plain('environment')}`,
    w({ code: 'variables', params: { file: `/etc/${name}/${program}.env` } }),
    ...variables(program).flatMap(({ names, standard, meaning }) => [
      '.TP',
      `.B ${escaped(names)}`,
      escaped(`${meaning} (${standard})`),
    ]),
    `.SH ${plain('signed')}`,
    plain('signed_by'),
    '.nf',
    ...signingBlock().split('\n').map(escaped),
    '.fi',
    plain('clock'),
    `.SH ${plain('files')}`,
    ...files(product, w),
    `.SH ${plain('see_also')}`,
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n');
}

/** Messages without particulars. */
type Plain = Exclude<keyof typeof manualMessages, 'example' | 'variables' | 'credentials' | 'pages'>;

function commandSection(program: string, command: Command<never>, { language, w }: Words): string[] {
  const { summary, description, options, positionals, examples = [], exits } = command;
  return [
    `.SS ${escaped(synopsis(command))}`,
    escaped(sentence(summary[language], language)),
    ...(description ? [escaped(description[language])] : []),
    ...Object.values<PositionalSpec>(positionals).flatMap((positional) => [
      '.TP',
      `.I ${escaped(positional.value)}`,
      escaped(explained(positional, language)),
    ]),
    ...terms(options, language),
    ...examples.flatMap(({ line, what }) => [
      '.PP',
      w({ code: 'example', params: { what: what[language] } }),
      '.PP',
      '.nf',
      '.RS 4',
      escaped(`${program} ${line}`),
      '.RE',
      '.fi',
    ]),
    ...(exits ? ['.PP', w({ code: 'exit_here', params: {} }), ...exitCodes(exits, language)] : []),
  ];
}

/** The command with its positionals; its options stand below it. */
function synopsis({ name, positionals, options }: Command<never>): string {
  return [
    name,
    ...Object.values<PositionalSpec>(positionals).map(({ value, many, optional }) =>
      many ? `[${value} ...]` : optional ? `[${value}]` : value,
    ),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ');
}

const terms = (options: Readonly<Record<string, OptionSpec>>, language: Language): string[] =>
  Object.entries(options).flatMap(([name, spec]) => [
    '.TP',
    `.B ${escaped(optionTerm(name, spec))}`,
    escaped(explained(spec, language)),
  ]);

const exitCodes = (codes: Command<never>['exits'] & object, language: Language): string[] =>
  Object.entries(codes).flatMap(([code, text]) => ['.TP', `.B ${code}`, escaped(text[language])]);

/** Rows of the table of variables that this program has. */
function variables(program: Product['program']): { names: string; standard: string; meaning: string }[] {
  const column = program === 'site' ? 1 : 2;
  return variableRows().flatMap((row) => {
    const cells = row.map((cell) => cell.replaceAll('`', ''));
    const standard = cells[column] ?? '';
    const packaged = standard
      .replace('.fieldline/', '/var/lib/fieldline-')
      .replace('<data>/admin.sock', `/run/fieldline-${program}/admin.sock`);
    return standard === '–' || standard === ''
      ? []
      : [{ names: cells[0] ?? '', standard: packaged, meaning: cells[3] ?? '' }];
  });
}

function files({ name, program }: Product, w: Words['w']): string[] {
  const rows: readonly (readonly [file: string, meaning: string])[] = [
    [`/etc/${name}/${program}.env`, w({ code: 'configuration', params: {} })],
    [`/usr/lib/${name}/defaults.env`, w({ code: 'defaults', params: {} })],
    [`/etc/${name}/credentials/`, w({ code: 'credentials', params: { program } })],
    [`/var/lib/${name}/`, w({ code: 'data', params: {} })],
    [`/run/${name}/admin.sock`, w({ code: 'socket', params: {} })],
    [`/usr/share/doc/${name}/`, w({ code: 'pages', params: { program } })],
  ];
  return rows.flatMap(([file, meaning]) => ['.TP', `.I ${escaped(file)}`, meaning]);
}

/** A backslash, a hyphen, and a dot or quote at the beginning mean something to roff. */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('≥', '>=')
    .replaceAll('≤', '<=')
    .replaceAll('–', '\\-');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
