import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { failedWays } from '../../fleet/rollout/record.ts';
import { hubCommand } from '../context.ts';

const VERSION = { value: 'VERSION', summary: { en: 'of the release', zh: '版本号' } } as const;
const ID = {
  value: 'ID',
  summary: { en: 'of the rollout, as rollout list shows it', zh: '分批升级的编号，见 rollout list' },
} as const;

/** Releases, and their rollouts. */
export const upgradeCommands = [
  hubCommand({
    name: 'release add',
    summary: { en: 'add a release with its packages', zh: '添加版本包及其安装包' },
    description: {
      en:
        'The document is made and signed by fieldline-release, where the private key is. Packages that it ' +
        'names are looked for beside it. What is here already is not sent again.',
      zh: '版本文件由持有私钥的一方用 fieldline-release 生成并签名。其中列出的安装包在同一目录中查找；已上传的不再上传。',
    },
    positionals: {
      file: {
        value: 'FILE',
        file: true,
        summary: { en: 'the signed document (….release)', zh: '已签名的版本文件（….release）' },
      },
    },
    examples: [
      {
        line: 'release add fieldline-site_1.2.3.release',
        what: { en: 'with the packages beside it', zh: '连同同一目录中的安装包' },
      },
    ],
    run: async (typed, context) => (await import('../upgrade/release.ts')).addRelease(typed, context),
  }),
  hubCommand({
    name: 'release list',
    summary: { en: 'list the releases, the newest first', zh: '列出版本包，最新的在前' },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../upgrade/release.ts')).listReleases(typed, context),
  }),
  hubCommand({
    name: 'release remove',
    summary: { en: 'delete a release that no rollout needs', zh: '删除未在升级中使用的版本包' },
    positionals: { version: VERSION },
    run: async (typed, context) => (await import('../upgrade/release.ts')).removeRelease(typed, context),
  }),
  hubCommand({
    name: 'rollout start',
    summary: { en: 'upgrade sites to a release, in waves', zh: '将站点分批升级到某个版本' },
    description: {
      en:
        'One of --all, --group and --site says which sites. A wave begins when the one before is through ' +
        'and has been well for an hour; the rollout pauses by itself when sites fail or fall silent.',
      zh: '用 --all、--group 或 --site 指定站点。前一批完成且稳定一小时后才开始下一批；有站点失败或失联时自动暂停。',
    },
    positionals: { version: VERSION },
    options: {
      all: { summary: { en: 'all sites', zh: '所有站点' } },
      group: { value: 'GROUP', summary: { en: 'the sites of this group', zh: '该分组的站点' } },
      site: { value: 'NAME', multiple: true, summary: { en: 'this site', zh: '该站点' } },
      first: { value: 'NAME', multiple: true, summary: { en: 'begun before others', zh: '最先升级的站点' } },
      waves: {
        value: 'SHARES',
        summary: {
          en: 'how far each wave goes, with commas between; 1,5%,25%,100%',
          zh: '各批累计范围，以逗号分隔，默认 1,5%,25%,100%',
        },
      },
      hours: {
        value: 'FROM-UNTIL',
        summary: {
          en: "hours of the sites' clocks in which they install; 1-5, and 0-0 is at any time",
          zh: '站点本地时间的安装时段，默认 1-5；0-0 表示任何时间',
        },
      },
      'settle-minutes': {
        value: 'MINUTES',
        number: true,
        summary: {
          en: 'how long all must be well between waves; 60',
          zh: '两批之间的稳定时间，默认 60 分钟',
        },
      },
      preview: { summary: { en: 'only say what it would do', zh: '只显示将如何进行' } },
      json: JSON_OPTION,
    },
    examples: [
      {
        line: 'rollout start 1.2.3 --group North --first tunnel-7',
        what: { en: 'the sites of a group, one of them first', zh: '一个分组的站点，指定最先升级的站点' },
      },
    ],
    run: async (typed, context) => (await import('../upgrade/rollout.ts')).startRollout(typed, context),
  }),
  hubCommand({
    name: 'rollout list',
    summary: { en: 'list the rollouts, the newest first', zh: '列出分批升级，最新的在前' },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../upgrade/rollout.ts')).listRollouts(typed, context),
  }),
  hubCommand({
    name: 'rollout show',
    summary: {
      en: 'show a rollout, its waves, and how far its sites are',
      zh: '显示分批升级的各批和各站点进度',
    },
    positionals: { id: ID },
    options: {
      failed: { summary: { en: 'only sites that have failed', zh: '只显示失败的站点' } },
      json: JSON_OPTION,
    },
    exits: { 1: { en: 'it is paused', zh: '已暂停' } },
    looks: true,
    run: async (typed, context) => (await import('../upgrade/rollout.ts')).showRollout(typed, context),
  }),
  hubCommand({
    name: 'rollout pause',
    summary: {
      en: 'tell no further site, and take back what has not begun',
      zh: '暂停，并收回尚未开始安装的升级',
    },
    positionals: { id: ID },
    run: async ({ id }, context) =>
      (await import('../upgrade/rollout.ts')).actOn({ id, act: 'pause' }, context),
  }),
  hubCommand({
    name: 'rollout resume',
    summary: { en: 'let a paused rollout go on', zh: '继续已暂停的分批升级' },
    positionals: { id: ID },
    options: {
      failed: {
        value: 'WAY',
        choices: failedWays,
        summary: {
          en: 'what becomes of sites that failed: as_they_are, leave_out, or again',
          zh: '如何处理失败的站点：as_they_are 保持不变，leave_out 排除，again 重试',
        },
      },
    },
    run: async ({ id, failed }, context) =>
      (await import('../upgrade/rollout.ts')).actOn(
        { id, act: 'resume', body: failed === undefined ? {} : { failed } },
        context,
      ),
  }),
  hubCommand({
    name: 'rollout abort',
    summary: { en: 'end a rollout; what is being installed goes on', zh: '中止分批升级；正在安装的不受影响' },
    positionals: { id: ID },
    run: async ({ id }, context) =>
      (await import('../upgrade/rollout.ts')).actOn({ id, act: 'abort' }, context),
  }),
];
