import type { Language } from '../../../common/message.ts';

const en = {
  badName:
    'The name must consist of letters, digits, ".", "_" and "-", begin with a letter or digit, and have ' +
    'at most 64 characters.',
  badUrl: (text: string) => `${text} is not an http:// or https:// address.`,
  badKey:
    'This is neither a joining code, such as 7K2M-Q9TD, nor a key of the form <key id>:<secret>, as ' +
    'headquarters printed it.',
  badAuthority: (file: string, fault: string) =>
    `${file} holds no certificate in PEM form (${fault}); ask whoever runs headquarters for the one of ` +
    'its authority.',
  name: 'Name of this site, as registered at headquarters',
  url: 'Address of headquarters',
  noneIfEmpty: ' (empty for none)',
  noneIfDash: ' (- for none)',
  urlOption: '--url (or --no-uplink)',
  key: 'Joining code of headquarters, or the key that it printed, <key id>:<secret>',
  keyOption: '--code, --key-file or --key',
  help: 'Help: fieldline-site setup --help',
  colon: ': ',
  linkFails: (fault: string) => `The link was tried and does not work: ${fault}.`,
  savesUntested: 'Nothing was saved. With --no-test it is saved all the same.',
  notSavedYet:
    'Nothing is saved yet. What does not work is asked for again; Ctrl-C leaves everything as it was.',
  tryAgain: 'Press Enter to try again: ',
  joined: (instance: string) =>
    `Headquarters takes the code and has given the key of ${instance}, which is kept.`,
  onceClockIsSet: 'Set the clock, such as with timedatectl, and press Enter: ',
  linkWorks: 'Headquarters answers, knows the key and the name of this site.',
  nothingSaved: 'Nothing was saved.',
  wouldNotStart: (fault: string) => `Nothing was saved, since the site would not start with it. ${fault}`,
  saved: (file: string) => `Saved in ${file}.`,
  restartLater: 'It takes effect at the next start: systemctl restart fieldline-site',
  restartNow: 'Restart the site now, so that it takes effect? [Y/n] ',
  restarted: 'The site was restarted. See how it goes with: fieldline-site status',
  notRestarted: (reason: string) =>
    `The site could not be restarted${reason && ` (${reason})`}. Try: systemctl restart fieldline-site`,
};

const zh: typeof en = {
  badName: '站点名称只能用字母、数字、“.”、“_”、“-”，以字母或数字开头，最长 64 个字符。',
  badUrl: (text) => `${text} 不是 http:// 或 https:// 地址。`,
  badKey: '既不是接入码（如 7K2M-Q9TD），也不是总部给出的密钥（<密钥 ID>:<密钥>，用半角冒号）。',
  badAuthority: (file, fault) =>
    `${file} 中没有 PEM 格式的证书（${fault}）；请向总部管理员索取签发机构证书。`,
  name: '本站名称（与总部登记的一致）',
  url: '总部地址',
  noneIfEmpty: '（没有总部则留空）',
  noneIfDash: '（没有总部则输入 -）',
  urlOption: '--url（或 --no-uplink）',
  key: '总部的接入码，或总部给出的密钥（<密钥 ID>:<密钥>）',
  keyOption: '--code、--key-file 或 --key',
  help: '帮助：fieldline-site setup --help',
  colon: '：',
  linkFails: (fault) => `链路测试不通过：${fault}。`,
  savesUntested: '没有保存。加 --no-test 可不经测试直接保存。',
  notSavedYet: '尚未保存，请重新输入有问题的一项；按 Ctrl-C 退出则一切不变。',
  tryAgain: '按回车重试：',
  joined: (instance) => `总部已接受接入码，并发放了 ${instance} 的密钥，密钥已保存。`,
  onceClockIsSet: '请校准时间（如用 timedatectl），然后按回车：',
  linkWorks: '总部有应答，密钥和站点名称正确。',
  nothingSaved: '没有保存。',
  wouldNotStart: (fault) => `没有保存：站点无法以此配置启动。${fault}`,
  saved: (file) => `已保存到 ${file}。`,
  restartLater: '下次启动时生效：systemctl restart fieldline-site',
  restartNow: '现在重启站点使其生效吗？[Y/n] ',
  restarted: '站点已重启。查看状态：fieldline-site status',
  notRestarted: (reason) =>
    `站点没有重启成功${reason && `（${reason}）`}。请执行：systemctl restart fieldline-site`,
};

export type SetupMessages = typeof en;
export const setupMessages: Record<Language, SetupMessages> = { en, zh };
