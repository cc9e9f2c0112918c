import { type Say, sentences } from '../message.ts';

export const commandLineMessages = {
  usage: sentences('Usage: ', '用法：'),
  command: sentences('COMMAND', '命令'),
  commands: sentences('Commands:', '命令：'),
  arguments: sentences('Arguments:', '参数：'),
  options: sentences('Options:', '选项：'),
  allOptions: sentences('Options of every command:', '所有命令的选项：'),
  examples: sentences('Examples:', '示例：'),
  exits: sentences('Exit codes:', '退出码：'),
  required: sentences('required', '必填'),
  oneOf: sentences('one of {choices}', '可选值：{choices}'),
  helpOf: sentences('Help: {line} --help', '帮助：{line} --help'),
  moreHelp: sentences(
    '{program} COMMAND --help explains one command.',
    '查看某个命令的详细说明：{program} 命令 --help',
  ),
  noCommand: sentences('there is no command "{words}"', '没有命令“{words}”'),
  whichCommand: sentences('"{words}" needs a subcommand: {actions}', '“{words}”后面还需要子命令：{actions}'),
  noOption: sentences('there is no option {option} here', '此命令没有选项 {option}'),
  noValue: sentences('{option} needs a value', '{option} 后面要有值'),
  missing: sentences('{what} is missing', '缺少 {what}'),
  tooMany: sentences(
    'there are more arguments than this command takes; a text with spaces needs quotes',
    '参数过多；含空格的文字须加引号',
  ),
  notNumber: sentences('{option} must be a number, not "{value}"', '{option} 必须是数字，不能是“{value}”'),
  notOneOf: sentences(
    '{what} must be one of {choices}, not "{value}"',
    '{what} 只能是 {choices}，不能是“{value}”',
  ),
  perhaps: sentences(' (did you mean {words}?)', '（是否想输入 {words}？）'),
  comma: sentences(', ', '、'),
  inBrackets: sentences(' ({text})', '（{text}）'),
};

export type CommandLineMessages = Say<typeof commandLineMessages>;
