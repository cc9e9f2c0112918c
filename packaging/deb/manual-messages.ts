// What the manual page says beside the table of commands.
import { sentences } from '../../common/message.ts';

export const manualMessages = {
  name: sentences('NAME', '名称'),
  synopsis: sentences('SYNOPSIS', '用法'),
  command: sentences('command', '命令'),
  options: sentences('options', '选项'),
  description: sentences('DESCRIPTION', '说明'),
  commands: sentences('COMMANDS', '命令'),
  every_command: sentences('OPTIONS OF EVERY COMMAND', '所有命令的选项'),
  exit_status: sentences('EXIT STATUS', '退出码'),
  exit_here: sentences('Exit status here:', '此命令的退出码：'),
  example: sentences('For example, {what}:', '例如，{what}：'),
  environment: sentences('ENVIRONMENT', '环境变量'),
  variables: sentences(
    'Set in {file} for the service and the command alike.',
    '在 {file} 中设置，对服务和命令都有效。',
  ),
  signed: sentences('SIGNED REQUESTS', '签名请求'),
  signed_by: sentences(
    'Cameras, sites and consumers send with each request:',
    '摄像机、站点和消费程序的每个请求都带有：',
  ),
  clock: sentences(
    'A timestamp that is off by more than 300 s is refused with the time of this machine.',
    '时间戳偏差超过 300 秒的请求会被拒绝，应答中带有本机时间。',
  ),
  files: sentences('FILES', '文件'),
  configuration: sentences('Configuration.', '配置。'),
  defaults: sentences('What holds where the configuration says nothing else.', '配置中未写明时的默认值。'),
  credentials: sentences(
    'Secrets, one a file, named as cred:{program}_<file name>.',
    '密钥，每个文件一个，引用方式为 cred:{program}_<文件名>。',
  ),
  data: sentences('Everything that is kept.', '全部数据。'),
  socket: sentences(
    'The local socket; whoever may write to it may use the commands.',
    '本地套接字；有权写入者即可使用这些命令。',
  ),
  pages: sentences(
    [
      'How to operate it ({program}/README.md) and all that the other pages say; ',
      'what changed, in packaging/CHANGELOG.md.',
    ],
    '操作说明（{program}/README.md）及其他文档（英文）；变更记录见 packaging/CHANGELOG.md。',
  ),
  see_also: sentences('SEE ALSO', '另见'),
};
