import { catalogue } from '../../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '站点', en: 'Sites' },
  under: { zh: '哪个站点不正常？从什么时候开始？', en: 'Who is not well, and since when?' },
  heardUnder: { zh: '哪个站点联系不上？从什么时候开始？', en: 'Which site is not heard, and since when?' },
  findSite: { zh: '查找站点', en: 'Find a site' },
  lastHeard: { zh: '最近联系', en: 'Last heard' },
  count: { zh: '共 {count} 个站点', en: '{count} sites' },
  find: { zh: '按站点、租户或分组查找', en: 'Find site, tenant, group' },
  care: { zh: '只看需要关注的', en: 'Only those that need care' },
  stateFilter: { zh: '状态', en: 'State' },
  none: {
    zh: '尚未登记站点。点“登记站点”，再按给出的命令在网关上接入。',
    en: 'No site is registered yet. Press “Register a site”, and type what it says at the gateway.',
  },
  state: { zh: '状态', en: 'State' },
  site: { zh: '站点', en: 'Site' },
  tenant: { zh: '租户', en: 'Tenant' },
  current: { zh: '在线', en: 'Live' },
  late: { zh: '迟到', en: 'Late' },
  silent: { zh: '失联', en: 'Silent' },
  away: { zh: '计划停用', en: 'Away as planned' },
  neverHeard: { zh: '从未联系', en: 'never heard' },
  waiting: { zh: '待传', en: 'On its way' },
  toHeadquarters: { zh: '待上传 {count}', en: '{count} to come up' },
  toSite: { zh: '待下发 {count}', en: '{count} to go down' },
  oldest: { zh: '最早待发', en: 'Oldest unsent' },
  files: { zh: '待取文件 {count}', en: '{count} files wanted' },
  parked: { zh: '未入库（待处理）', en: 'Parked' },
  notTold: { zh: '未告知', en: 'not told' },
  shed: { zh: '因磁盘不足已清理', en: 'Deleted' },
  disk: { zh: '磁盘余量', en: 'Disk left' },
  days: { zh: '约 {count} 天后满', en: 'full in {count} days' },
  clock: { zh: '时钟', en: 'Clock' },
  clockSuspect: { zh: '不可信', en: 'Not to be trusted' },
  clockGood: { zh: '正常', en: 'Right' },
  clockAhead: { zh: '快 {time}', en: '{time} ahead' },
  clockBehind: { zh: '慢 {time}', en: '{time} behind' },
  version: { zh: '版本', en: 'Version' },
  alarms: { zh: '告警', en: 'Alarms' },
  notStoring: { zh: '不能存储', en: 'Not storing' },
  add: { zh: '登记站点', en: 'Register a site' },
  rename: { zh: '名称与分组', en: 'Name and groups' },
  renameTitle: { zh: '{site} 的名称与分组', en: 'Name and groups of {site}' },
  group: { zh: '分组', en: 'Group' },
  groups: { zh: '分组', en: 'Groups' },
  groupHint: {
    zh: '例如区域、标段或合同；可选择已有分组，也可输入新名称',
    en: 'Such as a region or a contract; choose one, or type a new name',
  },
  chosen: { zh: '已选 {count} 个站点', en: '{count} sites chosen' },
  regroup: { zh: '更改分组', en: 'Change groups' },
  regroupTitle: { zh: '更改 {count} 个站点的分组', en: 'Groups of {count} sites' },
  intoGroup: { zh: '加入分组', en: 'Put into' },
  outOfGroup: { zh: '移出分组', en: 'Take out of' },
  regrouped: { zh: '分组已更改', en: 'The groups were changed' },
  displayName: { zh: '显示名称', en: 'Display name' },
  displayNameHint: {
    zh: '例如“三号隧道出口”；各处代替 {site} 显示，编号本身不变。留空则显示编号',
    en: 'Such as “Tunnel 3, exit”; shown in place of {site}, which stays as it is. Empty: its id',
  },
  renamed: { zh: '已更改', en: 'Changed' },
  save: { zh: '保存', en: 'Save' },
  cancel: { zh: '取消', en: 'Cancel' },
  instance: { zh: '编号', en: 'Id' },
  explain: { zh: '状态说明', en: 'What the states mean' },
  currentMeans: {
    zh: '30 秒内收到过该站点的数据或心跳。',
    en: 'It was heard within the last 30 seconds.',
  },
  lateMeans: {
    zh: '超过 30 秒没有消息，还不到失联时限：链路可能短暂中断，数据在站点排队，不会丢失。',
    en:
      'Not heard for more than 30 seconds, and not yet silent: the link may be down for a moment. ' +
      'What happens meanwhile waits at the site and is not lost.',
  },
  silentMeans: {
    zh: '超过失联时限（未另设时为 10 分钟）没有消息，或从未联系：请检查网络、电源或网关。站点继续存储，恢复后补传。',
    en:
      'Not heard for longer than its time, ten minutes unless set, or never: look at network, power or ' +
      'gateway. The site goes on storing and sends all of it afterwards.',
  },
  awayMeans: {
    zh: '没有消息，但已标记为计划停用，失联不告警。',
    en: 'Not heard, and planned to be away: nobody is called for its silence.',
  },
  oldestMeans: {
    zh: '站点还有数据没有传到总部时，其中最早的一条等了多久。',
    en: 'While something at the site has not come up yet: since when the oldest of it waits.',
  },
  parkedMeans: {
    zh: '总部拒收、留在站点的数据。不会丢失，但需要有人在站点重发或放弃。',
    en:
      'What headquarters refused and the site keeps. It is not lost, but somebody has to send it ' +
      'again or give it up.',
  },
  shedMeans: {
    zh: '磁盘不足时站点为腾出空间删除的条数：先删总部已有的；只存于站点的图片最后才删，并另行告警。',
    en:
      'How much the site deleted to make room on its disk: first what headquarters has; pictures that ' +
      'exist nowhere else come last, and are told of as lost.',
  },
  diskMeans: {
    zh: '站点还能存储的数据量。按最近一天的速度，两周内会存满时给出天数。',
    en:
      'How much the site can still store. Where it will be full within two weeks at the rate of ' +
      'the last day, in how many days.',
  },
  clockMeans: {
    zh: '站点报告时其时钟与总部相差多少；五秒以内视为正常。',
    en:
      'How far the clock of the site was from that of headquarters when it reported; within five ' +
      'seconds it is right.',
  },
  notToldMeans: {
    zh: '“未告知”：该站点的版本较旧，不报告此项。',
    en: '"not told": the version of the site is older and does not report it.',
  },
});
