import { type Say, sentences } from '../../common/message.ts';

export const archiveMessages = {
  holdsStore: sentences(
    '{file} holds the store as it was just now ({size}). Evidence files are not in it.',
    '{file} 已保存当前数据库（{size}）。其中没有证据文件。',
  ),
  notWhole: sentences(
    [
      'The store has damage, and so has the copy: keep an earlier backup too, and look at ',
      'fieldline-site status.',
    ],
    '数据库有损坏，副本也是如此：请同时保留更早的备份，并查看 fieldline-site status。',
  ),
  notNoted: sentences('It is not shown as the last backup: {reason}', '未能记为最近一次备份：{reason}'),
  withSecrets: sentences(
    [
      'It also holds the secrets of cameras and consumers and the admin key: keep it where only ',
      'you can read it.',
    ],
    '其中有摄像机、消费者的密钥和管理密钥：请放在只有您能读取的地方。',
  ),
  withoutSecrets: sentences(
    [
      'It holds no secrets: after a restore cameras must get new ones, and named secrets and ',
      'channels must be given theirs anew.',
    ],
    '其中没有密钥：恢复后须为摄像机重新发放密钥，命名密钥和通知通道的密钥也须重新提供。',
  ),
  noFile: sentences('there is no file {file}', '没有文件 {file}'),
  restored: sentences('Restored: {events} events.', '已恢复 {events} 个事件。'),
  aside: sentences(' The store from before is {file}.', '原数据库另存为 {file}。'),
  newEpoch: sentences(
    [
      'It is an old copy: it takes a new epoch{idsAfter}. Consumers and headquarters notice by ',
      'themselves, and\nheadquarters recognises what it has already. What came after the copy was made ',
      'is missing here. Start the site now: systemctl start fieldline-site',
    ],
    [
      '这是较旧的副本，启用新的数据库标识（epoch）{idsAfter}。消费者和总部会自行察觉，\n',
      '总部能识别已有的数据。副本之后的数据本站没有。现在请启动站点：systemctl start fieldline-site',
    ],
  ),
  idsAfter: sentences(', and new events get ids after {id}', '，新事件的编号从 {id} 之后开始'),
  bundled: sentences(
    [
      '{file} holds {count} files for support: state, alarms, audit, what is parked, the checks, ',
      'the journal. No secret, no event and no picture is in it.',
    ],
    '{file} 中有 {count} 个供技术支持使用的文件：状态、告警、审计、搁置、检查结果和系统日志。其中没有密钥、事件和图片。',
  ),
  fileExists: sentences('{file} is there already; name a new file', '{file} 已存在，请换一个文件名'),
  noFolder: sentences('there is no folder {folder}', '没有目录 {folder}'),
};

export type ArchiveMessages = Say<typeof archiveMessages>;
