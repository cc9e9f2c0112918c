// What a shell offers while a command is typed, made from the table of commands.
import {
  type Command,
  type CommandTable,
  COMMON_OPTIONS,
  type OptionSpec,
  type PositionalSpec,
} from './command-table.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Table = CommandTable<never>;

/** The completion script of a program for one shell. Summaries in it are English. */
export function completion(table: Table, shell: Shell): string {
  return { bash, zsh, fish }[shell](table);
}

interface Level {
  /** Words before the cursor, options left out: '' or `node` or `node add`. */
  before: string;
  /** What may come next, with what it does. */
  next: readonly (readonly [word: string, summary: string])[];
  command: Command<never> | null;
}

const optionsOf = ({ options }: Command<never>): [string, OptionSpec][] => [
  ...Object.entries(options),
  ...Object.entries(COMMON_OPTIONS),
];

/** Every place in a command line at which something can be offered. */
function levels({ commands, nouns }: Table): Level[] {
  const tops = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].map(
    (top) => [top, (nouns[top] ?? commands.find(({ name }) => name === top)?.summary)?.en ?? ''] as const,
  );
  return [
    { before: '', next: tops, command: null },
    ...Object.keys(nouns).map((noun) => ({
      before: noun,
      command: null,
      next: commands
        .filter(({ name }) => name.startsWith(`${noun} `))
        .map(({ name, summary }) => [name.slice(noun.length + 1), summary.en] as const),
    })),
    ...commands.map((command) => ({ before: command.name, command, next: choicesOf(command) })),
  ];
}

const choicesOf = ({ positionals, name }: Command<never>): [string, string][] =>
  Object.values<PositionalSpec>(positionals).flatMap(({ choices = [] }) =>
    choices.map((one): [string, string] => [one, name]),
  );

const takesFile = (command: Command<never> | null): boolean =>
  Object.values<PositionalSpec>(command?.positionals ?? {}).some(({ file }) => file);

const shellName = (table: Table): string => `_${table.name.replaceAll('-', '_')}`;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Options that take a value, by what is offered for it. */
function valued(table: Table): {
  choices: Map<string, readonly string[]>;
  files: string[];
  others: string[];
} {
  const all = table.commands.flatMap(optionsOf).filter(([, { value }]) => value !== undefined);
  const names = (wanted: (spec: OptionSpec) => boolean): string[] => [
    ...new Set(all.filter(([, spec]) => wanted(spec)).map(([name]) => `--${name}`)),
  ];
  return {
    choices: new Map(all.flatMap(([name, { choices }]) => (choices ? [[`--${name}`, choices]] : []))),
    files: names(({ file }) => file === true),
    others: names(({ file, choices }) => file !== true && choices === undefined),
  };
}

/** Finds the words before the cursor without options and their values, in bash and zsh alike. */
const BEFORE = (table: Table, words: string): string => {
  const { choices, files, others } = valued(table);
  const taking = [...choices.keys(), ...files, ...others].join('|');
  return `  local before='' skip='' word
  for word in ${words}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${taking}) skip=1 ;;
      -*) ;;
      *) before="$before\${before:+ }$word" ;;
    esac
  done`;
};

/** What the words before the cursor must look like; behind a whole command its arguments follow. */
const patternOf = ({ before, command }: Pick<Level, 'before' | 'command'>): string =>
  `'${before}'${command ? `|'${before} '*` : ''}`;

/** A case of the word before the cursor: it was an option, and this is done for its value. */
const valueCase = (options: readonly string[], action: string): string[] =>
  options.length === 0 ? [] : [`    ${options.join('|')}) ${action}return ;;`];

function bash(table: Table): string {
  const name = shellName(table);
  const { choices, files, others } = valued(table);
  const cases = levels(table).map(({ before, next, command }) => {
    const words = next.map(([word]) => word).join(' ');
    const options = command ? optionsOf(command).map(([option]) => `--${option}`) : ['--lang', '--help'];
    const file = takesFile(command) ? ' files=1' : '';
    const pattern = patternOf({ before, command });
    return `    ${pattern}) words='${words}' options='${options.join(' ')}'${file} ;;`;
  });
  const offer = (generate: string): string => `mapfile -t COMPREPLY < <(compgen ${generate} -- "$current"); `;
  const values = [
    ...[...choices].flatMap(([option, words]) => valueCase([option], offer(`-W '${words.join(' ')}'`))),
    ...valueCase(files, `compopt -o filenames 2>/dev/null; ${offer('-f')}`),
    ...valueCase(others, ''),
  ];
  return `# Completion of ${table.name} for bash, made from its table of commands.
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local words='' options='' files=''
  COMPREPLY=()
  case $previous in
${values.join('\n')}
  esac
${BEFORE(table, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case $before in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$options files=''; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F ${name} ${table.name}
`;
}

function zsh(table: Table): string {
  const name = shellName(table);
  const { choices, files, others } = valued(table);
  const item = (word: string, summary: string): string => quoted(`${word.replaceAll(':', '\\:')}:${summary}`);
  const cases = levels(table).map(({ before, next, command }) => {
    const options = command ? optionsOf(command) : Object.entries<OptionSpec>(COMMON_OPTIONS);
    return [
      `    ${patternOf({ before, command })})`,
      `      words_=(${next.map(([word, summary]) => item(word, summary)).join(' ')})`,
      `      options_=(${options.map(([option, { summary }]) => item(`--${option}`, summary.en)).join(' ')})`,
      `      files_=${takesFile(command) ? 1 : "''"} ;;`,
    ].join('\n');
  });
  const values = [
    ...[...choices].flatMap(([option, words]) => valueCase([option], `compadd -- ${words.join(' ')}; `)),
    ...valueCase(files, '_files; '),
    ...valueCase(others, ''),
  ];
  return `#compdef ${table.name}
# Completion of ${table.name} for zsh, made from its table of commands.
${name}() {
  local current=$words[CURRENT] previous=$words[CURRENT-1] files_=''
  local -a words_ options_
  case $previous in
${values.join('\n')}
  esac
${BEFORE(table, '"${(@)words[2,CURRENT-1]}"')}
  case $before in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o option options_; return; fi
  (( $#words_ )) && _describe command words_
  [[ -n $files_ ]] && _files
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${table.name}; fi
`;
}

function fish(table: Table): string {
  const name = shellName(table);
  const { choices, files, others } = valued(table);
  const line = (before: string, rest: string): string =>
    `complete -c ${table.name} -n ${quoted(`${name}_at ${quoted(before)}`).replaceAll("'\\''", '"')} ${rest}`;
  const lines = levels(table).flatMap(({ before, next, command }) => [
    ...next.map(([word, summary]) => line(before, `-a ${quoted(word)} -d ${quoted(summary)}`)),
    ...(command ? Object.entries<OptionSpec>(command.options) : []).map(
      ([option, { summary, value, file }]) =>
        line(
          before,
          `-l ${option}${value === undefined ? '' : file ? ' -r' : ' -r -f'} -d ${quoted(summary.en)}`,
        ),
    ),
    ...(takesFile(command) ? [line(before, '-F')] : []),
  ]);
  const taking = [...choices.keys(), ...files, ...others].join(' ');
  return `# Completion of ${table.name} for fish, made from its table of commands.
function ${name}_at
    set -l before
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
        else if contains -- $word ${taking}
            set skip 1
        else if not string match -q -- '-*' $word
            set -a before $word
        end
    end
    test "$before" = "$argv[1]"; and return 0
    # Behind a whole command its options go on, whatever its positionals were.
    test -n "$argv[1]"; and string match -q -- "$argv[1] *" "$before"
end
complete -c ${table.name} -f
complete -c ${table.name} -l lang -x -a 'zh en' -d ${quoted(COMMON_OPTIONS.lang.summary.en)}
complete -c ${table.name} -s h -l help -d ${quoted(COMMON_OPTIONS.help.summary.en)}
${lines.join('\n')}
`;
}
