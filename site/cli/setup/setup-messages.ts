import { type Say, sentences } from '../../../common/message.ts';

export const setupMessages = {
  badName: sentences(
    [
      'The name must consist of letters, digits, ".", "_" and "-", begin with a letter or digit, ',
      'and have at most 64 characters.',
    ],
    '站点名称只能用字母、数字、“.”、“_”、“-”，以字母或数字开头，最长 64 个字符。',
  ),
  badUrl: sentences(
    '{text} is not an http:// or https:// address.',
    '{text} 不是 http:// 或 https:// 地址。',
  ),
  badKey: sentences(
    [
      'This is neither a joining code, such as 7K2M-Q9TD, nor a key of the form <key id>:<secret>, ',
      'as headquarters printed it.',
    ],
    '既不是接入码（如 7K2M-Q9TD），也不是总部给出的密钥（<密钥 ID>:<密钥>，用半角冒号）。',
  ),
  badAuthority: sentences(
    [
      '{file} holds no certificate in PEM form ({fault}); ask whoever runs headquarters for the ',
      'one of its authority.',
    ],
    '{file} 中没有 PEM 格式的证书（{fault}）；请向总部管理员索取签发机构证书。',
  ),
  name: sentences('Name of this site, as registered at headquarters', '本站名称（与总部登记的一致）'),
  url: sentences('Address of headquarters', '总部地址'),
  noneIfEmpty: sentences(' (empty for none)', '（没有总部则留空）'),
  noneIfDash: sentences(' (- for none)', '（没有总部则输入 -）'),
  urlOption: sentences('--url (or --no-uplink)', '--url（或 --no-uplink）'),
  key: sentences(
    'Joining code of headquarters, or the key that it printed, <key id>:<secret>',
    '总部的接入码，或总部给出的密钥（<密钥 ID>:<密钥>）',
  ),
  keyOption: sentences('--code, --key-file or --key', '--code、--key-file 或 --key'),
  help: sentences('Help: fieldline-site setup --help', '帮助：fieldline-site setup --help'),
  colon: sentences(': ', '：'),
  linkFails: sentences('The link was tried and does not work: {fault}.', '链路测试不通过：{fault}。'),
  savesUntested: sentences(
    'Nothing was saved. With --no-test it is saved all the same.',
    '没有保存。加 --no-test 可不经测试直接保存。',
  ),
  notSavedYet: sentences(
    'Nothing is saved yet. What does not work is asked for again; Ctrl-C leaves everything as it was.',
    '尚未保存，请重新输入有问题的一项；按 Ctrl-C 退出则一切不变。',
  ),
  tryAgain: sentences('Press Enter to try again: ', '按回车重试：'),
  joined: sentences(
    'Headquarters takes the code and has given the key of {instance}, which is kept.',
    '总部已接受接入码，并发放了 {instance} 的密钥，密钥已保存。',
  ),
  onceClockIsSet: sentences(
    'Set the clock, such as with timedatectl, and press Enter: ',
    '请校准时间（如用 timedatectl），然后按回车：',
  ),
  linkWorks: sentences(
    'Headquarters answers, knows the key and the name of this site.',
    '总部有应答，密钥和站点名称正确。',
  ),
  nothingSaved: sentences('Nothing was saved.', '没有保存。'),
  wouldNotStart: sentences(
    'Nothing was saved, since the site would not start with it. {fault}',
    '没有保存：站点无法以此配置启动。{fault}',
  ),
  saved: sentences('Saved in {file}.', '已保存到 {file}。'),
  restartLater: sentences(
    'It takes effect at the next start: systemctl restart fieldline-site',
    '下次启动时生效：systemctl restart fieldline-site',
  ),
  restartNow: sentences(
    'Restart the site now, so that it takes effect? [Y/n] ',
    '现在重启站点使其生效吗？[Y/n] ',
  ),
  restarted: sentences(
    'The site was restarted. See how it goes with: fieldline-site status',
    '站点已重启。查看状态：fieldline-site status',
  ),
  notRestarted: sentences(
    'The site could not be restarted{reason}. Try: systemctl restart fieldline-site',
    '站点没有重启成功{reason}。请执行：systemctl restart fieldline-site',
  ),
  reason: sentences(' ({text})', '（{text}）'),
};

export type SetupMessages = Say<typeof setupMessages>;
