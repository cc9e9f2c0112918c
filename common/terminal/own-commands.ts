// The commands that every program has, beside those of its table.
import { version } from '../package.ts';
import type { Terminal } from './command.ts';
import { type Command, commandsFor, type CommandTable } from './command-table.ts';
import { completion, SHELLS } from './completion.ts';

interface Own {
  table: CommandTable<never>;
  terminal: Terminal;
}

/** @param running what `run` runs, for the help; the program itself answers to it */
export function ownCommands<Context extends Own>(
  running: Command<never>['summary'],
): {
  run: Command<Context>;
  rest: Command<Context>[];
} {
  const command = commandsFor<Context>();
  return {
    run: command({
      name: 'run',
      summary: running,
      description: {
        en: 'Without any command this is what the program does. It ends with Ctrl-C, or when it is stopped.',
        zh: '不带任何命令时即执行本命令。按 Ctrl-C 或停止服务时结束。',
      },
      run: () => Promise.reject(new Error('the program itself runs')),
    }),
    rest: [
      command({
        name: 'completion',
        summary: { en: 'print the completion for a shell', zh: '输出命令行补全脚本' },
        description: {
          en: 'The package brings it to the shells of the machine; this is for everybody else.',
          zh: '软件包已为本机的 shell 安装补全；此命令供其他情况使用。',
        },
        positionals: {
          shell: { value: 'SHELL', choices: SHELLS, summary: { en: 'the shell', zh: 'shell 名称' } },
        },
        examples: [
          {
            line: 'completion bash > ~/.local/share/bash-completion/completions/NAME',
            what: {
              en: 'for one user, with the name of this program as NAME:',
              zh: '为单个用户安装（NAME 为本程序名）：',
            },
          },
        ],
        run: ({ shell }, { table, terminal }) => {
          terminal.out(completion(table, shell));
          return Promise.resolve(0);
        },
      }),
      command({
        name: 'version',
        summary: { en: 'print the version', zh: '显示版本' },
        run: (_, { table, terminal }) => {
          terminal.out(`${table.name} ${version}\n`);
          return Promise.resolve(0);
        },
      }),
      command({
        name: 'help',
        summary: { en: 'list all commands, or tell of one', zh: '列出所有命令，或说明某个命令' },
        positionals: {
          command: { value: 'COMMAND', many: true, summary: { en: 'a command', zh: '命令' } },
        },
        run: () => Promise.reject(new Error('the reader of the command line answers to it')),
      }),
    ],
  };
}
