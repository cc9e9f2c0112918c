// The manual page, made from the table of commands of the program and from the pages.
import {
  COMMON_OPTIONS,
  EXIT_CODES,
  type Command,
  type CommandTable,
  type OptionSpec,
  type PositionalSpec,
} from '../../common/terminal/command-table.ts';
import { explained, optionTerm, sentence } from '../../common/terminal/help.ts';
import { signingBlock, variableRows } from './pages.ts';
import type { Product } from './product.ts';

interface Edition {
  table: CommandTable<never>;
  version: string;
  /** Seconds. */
  epoch: number;
}

/** A page of section 8 in roff, English. */
export function manualText(product: Product, { table, version, epoch }: Edition): string {
  const { name, program, summary, description } = product;
  const date = new Date(epoch * 1000).toISOString().slice(0, 10);
  return [
    `.TH ${name.toUpperCase()} 8 "${date}" "${name} ${version}" "Fieldline"`,
    // Lines stay ragged: long words of commands and variables cannot be spread.
    '.ad l',
    '.SH NAME',
    `${name} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(name)}`,
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...description.map(escaped),
    ...table.notes.flatMap((note) => ['.PP', escaped(note.en)]),
    '.SH COMMANDS',
    ...table.commands.flatMap((command) => commandSection(table.name, command)),
    '.SH OPTIONS OF EVERY COMMAND',
    ...terms(COMMON_OPTIONS),
    '.SH EXIT STATUS',
    ...exitCodes(EXIT_CODES),
    '.SH ENVIRONMENT',
    escaped(`Set in /etc/${name}/${program}.env for the service and the command alike.`),
    ...variables(program).flatMap(({ names, standard, meaning }) => [
      '.TP',
      `.B ${escaped(names)}`,
      escaped(`${meaning} (${standard})`),
    ]),
    ...signing(),
    ...files(product),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n');
}

function commandSection(program: string, command: Command<never>): string[] {
  const { summary, description, options, positionals, examples = [], exits } = command;
  return [
    `.SS ${escaped(synopsis(command))}`,
    escaped(sentence(summary.en, 'en')),
    ...(description ? [escaped(description.en)] : []),
    ...Object.values<PositionalSpec>(positionals).flatMap((positional) => [
      '.TP',
      `.I ${escaped(positional.value)}`,
      escaped(explained(positional, 'en')),
    ]),
    ...terms(options),
    ...examples.flatMap(({ line, what }) => [
      '.PP',
      escaped(`For example, ${what.en}:`),
      '.PP',
      '.nf',
      '.RS 4',
      escaped(`${program} ${line}`),
      '.RE',
      '.fi',
    ]),
    ...(exits ? ['.PP', 'Exit status here:', ...exitCodes(exits)] : []),
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

const terms = (options: Readonly<Record<string, OptionSpec>>): string[] =>
  Object.entries(options).flatMap(([name, spec]) => [
    '.TP',
    `.B ${escaped(optionTerm(name, spec))}`,
    escaped(explained(spec, 'en')),
  ]);

const exitCodes = (codes: Command<never>['exits'] & object): string[] =>
  Object.entries(codes).flatMap(([code, text]) => ['.TP', `.B ${code}`, escaped(text.en)]);

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

function files({ name, program }: Product): string[] {
  const rows: readonly (readonly [file: string, meaning: string])[] = [
    [`/etc/${name}/${program}.env`, 'Configuration.'],
    [`/usr/lib/${name}/defaults.env`, 'What holds where the configuration says nothing else.'],
    [`/etc/${name}/credentials/`, `Secrets, one a file, named as cred:${program}_<file name>.`],
    [`/var/lib/${name}/`, 'Everything that is kept.'],
    [`/run/${name}/admin.sock`, 'The local socket; whoever may write to it may use the commands.'],
    [
      `/usr/share/doc/${name}/`,
      `How to operate it (${program}/README.md) and all that the other pages say; ` +
        'what changed, in packaging/CHANGELOG.md.',
    ],
  ];
  return [
    '.SH FILES',
    ...rows.flatMap(([file, meaning]) => ['.TP', `.I ${escaped(file)}`, escaped(meaning)]),
  ];
}

/** How a request is signed, as the page of the API shows it. */
function signing(): string[] {
  return [
    '.SH SIGNED REQUESTS',
    'Cameras, sites and consumers send with each request:',
    '.nf',
    ...signingBlock().split('\n').map(escaped),
    '.fi',
    escaped('A timestamp that is off by more than 300 s is refused with the time of this machine.'),
  ];
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
