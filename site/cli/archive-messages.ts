import type { Language } from '../../common/message.ts';

const en = {
  holdsStore: (file: string, size: string) =>
    `${file} holds the store as it was just now (${size}). Evidence files are not in it.`,
  notWhole:
    'The store has damage, and so has the copy: keep an earlier backup too, and look at ' +
    'fieldline-site status.',
  notNoted: (reason: string) => `It is not shown as the last backup: ${reason}`,
  withSecrets:
    'It also holds the secrets of cameras and consumers and the admin key: keep it where only you can ' +
    'read it.',
  withoutSecrets:
    'It holds no secrets: after a restore cameras must get new ones, and named secrets and channels ' +
    'must be given theirs anew.',
  noFile: (file: string) => `there is no file ${file}`,
  restored: (events: number, aside: string | null) =>
    `Restored: ${events} events.${aside === null ? '' : ` The store from before is ${aside}.`}`,
  newEpoch: (idsAfter: number) =>
    'It is an old copy: it takes a new ' +
    `epoch${idsAfter > 0 ? `, and new events get ids after ${idsAfter}` : ''}. Consumers and ` +
    `headquarters notice by themselves, and\n` +
    'headquarters recognises what it has already. What came after the copy was made is missing here. ' +
    'Start the site now: systemctl start fieldline-site',
  bundled: (file: string, count: number) =>
    `${file} holds ${count} files for support: state, alarms, audit, what is parked, the checks, the ` +
    'journal. No secret, no event and no picture is in it.',
  fileExists: (file: string) => `${file} is there already; name a new file`,
  noFolder: (folder: string) => `there is no folder ${folder}`,
};

const zh: typeof en = {
  holdsStore: (file, size) => `${file} 已保存当前数据库（${size}）。其中没有证据文件。`,
  notNoted: (reason) => `未能记为最近一次备份：${reason}`,
  notWhole: '数据库有损坏，副本也是如此：请同时保留更早的备份，并查看 fieldline-site status。',
  withSecrets: '其中有摄像机、消费者的密钥和管理密钥：请放在只有您能读取的地方。',
  withoutSecrets: '其中没有密钥：恢复后须为摄像机重新发放密钥，命名密钥和通知通道的密钥也须重新提供。',
  noFile: (file) => `没有文件 ${file}`,
  restored: (events, aside) =>
    `已恢复 ${events} 个事件。${aside === null ? '' : `原数据库另存为 ${aside}。`}`,
  newEpoch: (idsAfter) =>
    `这是较旧的副本，启用新的数据库标识（epoch）` +
    `${idsAfter > 0 ? `，新事件的编号从 ${idsAfter} 之后开始` : ''}。消费者和总部会自行察觉，\n` +
    '总部能识别已有的数据。副本之后的数据本站没有。现在请启动站点：systemctl start fieldline-site',
  bundled: (file, count) =>
    `${file} 中有 ${count} 个供技术支持使用的文件：状态、告警、审计、搁置、检查结果和系统日志。其中没有密钥、事件和图片。`,
  fileExists: (file) => `${file} 已存在，请换一个文件名`,
  noFolder: (folder) => `没有目录 ${folder}`,
};

export type ArchiveMessages = typeof en;
export const archiveMessages: Record<Language, ArchiveMessages> = { en, zh };
