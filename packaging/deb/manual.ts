// Manual page and completion, made of what the program itself and the pages say, so that they cannot fall
// behind.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { signingBlock, variableRows } from './pages.ts';
import type { Product } from './product.ts';
import { ROOT } from './source.ts';

/** The help text of the bundled program. */
export function helpOf({ program, name }: Product): string {
  return execFileSync(process.execPath, [path.join(ROOT, 'dist', program, 'main.mjs'), 'help'], {
    encoding: 'utf8',
    env: {
      CORE_DATA_DIR: `/var/lib/${name}`,
      ...(program === 'hq' ? { DATABASE_URL: 'postgresql:///fieldline-hq' } : {}),
    },
  });
}

/** Words that may follow a command, by command; '' has the commands. */
export function commandsOf(help: string): Map<string, string[]> {
  const words = new Map<string, string[]>([['', []]]);
  const add = (before: string, word: string): void => {
    const known = words.get(before) ?? [];
    if (!known.includes(word)) words.set(before, [...known, word]);
  };
  for (const line of help.split('\n')) {
    // "user disable NAME | user enable NAME" names two commands.
    const found = /^ {2}([a-z][a-z -]*?)(?= {2,}|$| [[A-Z-])/.test(line)
      ? (line.slice(2).split(/ {2,}/)[0]?.split(' | ') ?? [])
      : [];
    for (const text of found) {
      const [command, second] = text.split(' ').filter((word) => /^[a-z]/.test(word));
      if (command === undefined) continue;
      add('', command);
      if (second !== undefined && text.startsWith(`${command} ${second}`)) add(command, second);
      for (const [option] of text.matchAll(/--[a-z-]+/g))
        add(
          second !== undefined && text.startsWith(`${command} ${second}`) ? `${command} ${second}` : command,
          option,
        );
    }
  }
  return words;
}

export function completionText(product: Product, help: string): string {
  const cases = [...commandsOf(help)]
    .map(([before, words]) => `    '${before}') words='${words.join(' ')}' ;;`)
    .join('\n');
  const shell = product.name.replace('-', '_');
  return `# Completion of ${product.name} for bash.
_${shell}() {
  local words='' before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "\${before%% -*}" in
${cases}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _${shell} ${product.name}
`;
}

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

export function manualText(
  product: Product,
  { help, version, epoch }: { help: string; version: string; epoch: number },
): string {
  const { name, program, summary, description } = product;
  const date = new Date(epoch * 1000).toISOString().slice(0, 10);
  return [
    `.TH ${name.toUpperCase()} 8 "${date}" "${name} ${version}" "Fieldline"`,
    '.SH NAME',
    `${name} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.RI [ command ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...description.map(escaped),
    '.SH COMMANDS',
    '.nf',
    ...help.split('\n').map(escaped),
    '.fi',
    '.SH ENVIRONMENT',
    `Set in /etc/${name}/${program}.env for the service and the command alike.`,
    ...variables(program).flatMap(({ names, standard, meaning }) => [
      '.TP',
      `.B ${escaped(names)}`,
      escaped(`${meaning} (${standard})`),
    ]),
    ...signing(),
    '.SH FILES',
    '.TP',
    `.I /etc/${name}/${program}.env`,
    'Configuration.',
    '.TP',
    `.I /usr/lib/${name}/defaults.env`,
    'What holds where the configuration says nothing else.',
    '.TP',
    `.I /etc/${name}/credentials/`,
    `Secrets, one a file, named as cred:${program}_<file name>.`,
    '.TP',
    `.I /var/lib/${name}/`,
    'Everything that is kept.',
    ...(program === 'site'
      ? [
          '.TP',
          `.I /run/${name}/admin.sock`,
          'The local socket; whoever may write to it may use the commands.',
        ]
      : []),
    '.TP',
    `.I /usr/share/doc/${name}/`,
    escaped(
      `How to operate it (${program}/README.md) and all that the other pages say; what changed, in ` +
        'packaging/CHANGELOG.md.',
    ),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n');
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
