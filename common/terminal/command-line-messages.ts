import type { Language } from '../message.ts';

const en = {
  usage: 'Usage: ',
  command: 'COMMAND',
  commands: 'Commands:',
  arguments: 'Arguments:',
  options: 'Options:',
  allOptions: 'Options of every command:',
  examples: 'Examples:',
  exits: 'Exit codes:',
  required: 'required',
  oneOf: (choices: string) => `one of ${choices}`,
  helpOf: (line: string) => `Help: ${line} --help`,
  moreHelp: (program: string) => `${program} COMMAND --help explains one command.`,
  noCommand: (words: string) => `there is no command "${words}"`,
  whichCommand: (words: string, actions: string) => `"${words}" needs a subcommand: ${actions}`,
  noOption: (option: string) => `there is no option ${option} here`,
  noValue: (option: string) => `${option} needs a value`,
  missing: (what: string) => `${what} is missing`,
  tooMany: 'there are more arguments than this command takes; a text with spaces needs quotes',
  notNumber: (option: string, value: string) => `${option} must be a number, not "${value}"`,
  notOneOf: (what: string, choices: string, value: string) =>
    `${what} must be one of ${choices}, not "${value}"`,
  perhaps: (words: string) => ` (did you mean ${words}?)`,
  comma: ', ',
  inBrackets: (text: string) => ` (${text})`,
};

const zh: typeof en = {
  usage: '用法：',
  command: '命令',
  commands: '命令：',
  arguments: '参数：',
  options: '选项：',
  allOptions: '所有命令的选项：',
  examples: '示例：',
  exits: '退出码：',
  required: '必填',
  oneOf: (choices) => `可选值：${choices}`,
  helpOf: (line) => `帮助：${line} --help`,
  moreHelp: (program) => `查看某个命令的详细说明：${program} 命令 --help`,
  noCommand: (words) => `没有命令“${words}”`,
  whichCommand: (words, actions) => `“${words}”后面还需要子命令：${actions}`,
  noOption: (option) => `此命令没有选项 ${option}`,
  noValue: (option) => `${option} 后面要有值`,
  missing: (what) => `缺少 ${what}`,
  tooMany: '参数过多；含空格的文字须加引号',
  notNumber: (option, value) => `${option} 必须是数字，不能是“${value}”`,
  notOneOf: (what, choices, value) => `${what} 只能是 ${choices}，不能是“${value}”`,
  perhaps: (words) => `（是否想输入 ${words}？）`,
  comma: '、',
  inBrackets: (text) => `（${text}）`,
};

export type CommandLineMessages = typeof en;
export const commandLineMessages: Record<Language, CommandLineMessages> = { en, zh };
