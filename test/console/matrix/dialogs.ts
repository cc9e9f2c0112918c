// Every dialog, drawer and form of the console that the matrix opens: where, and by what.
import type { Page } from 'playwright-core';
import { INSTANCE, TENANT } from '../../support/deployment.ts';
import { goTo } from './going.ts';
import type { World } from './world.ts';

type Step =
  | RegExp
  | { press: string }
  | { click: string }
  /** Text into a field. */
  | { fill: string; text: string }
  /** Awaited. */
  | { see: string };

export interface DialogCase {
  name: string;
  address: (world: World) => string;
  /** Of the screen, without which the controls are not there; as in `screens.ts`. */
  shows: string;
  /** What is done one after another: the name of a control in either language, a key, or by a selector. */
  by: readonly Step[];
  /** It is there on phones alone. */
  phone?: true;
}

const dialog = (
  name: string,
  address: string | DialogCase['address'],
  shows: string,
  ...by: DialogCase['by']
): DialogCase => ({ name, address: typeof address === 'string' ? () => address : address, shows, by });

/** The box of a row, by what it is called or by its place. */
const box = (name: string): Step => ({ click: `#content tbody input[aria-label="${name}"]` });
const MORE = /^(更多操作|More)/;

export const dialogs: readonly DialogCase[] = [
  dialog('help', '/site-states', '30', { press: '?' }),
  dialog('site-new', '/sites', 'tunnel-8', /(登记站点|Register a site)$/),
  dialog('site-name', '/sites/tunnel-8', 'tunnel-8', /(名称与分组|Name and groups)$/),
  dialog('site-groups', '/sites', 'tunnel-8', box('tunnel-8'), /(更改分组|Change groups)$/),
  dialog('site-settings', `/sites/${INSTANCE}?tab=settings`, 'site-', /^(更改设置|Change settings)$/),
  dialog('site-rotate', `/sites/${INSTANCE}?tab=keys`, 'site-', /^(更\s?换|Rotate)$/),
  dialog('site-withdraw', `/sites/${INSTANCE}?tab=keys`, 'site-', /^(作\s?废|Withdraw)$/),
  dialog('site-code', '/sites/tunnel-8?tab=keys', 'site-', /^(生成接入码|Make a joining code)$/),
  dialog('site-key', '/sites/tunnel-8?tab=keys', 'site-', /^(新增密钥|Make another key)$/),
  dialog('site-ask-back', '/sites/tunnel-8?tab=care', '#content .ant-btn-dangerous', /^(撤\s?回|Withdraw)$/),
  dialog(
    'site-restart',
    `/sites/${INSTANCE}?tab=care`,
    '#content .ant-btn-dangerous',
    /^(重启服务|Restart)$/,
  ),
  dialog('release-new', '/upgrades', '9.1.0', /(上传版本|Add a release)$/),
  dialog('release-remove', '/upgrades', '9.0.0', /^(删\s?除|Remove)$/),
  dialog(
    'rollout-new',
    '/upgrades',
    '9.1.0',
    /(开始升级|Roll out)$/,
    { click: '.ant-modal .ant-select' },
    { press: 'Enter' },
    { see: '.ant-modal [role=status] strong' },
  ),
  dialog('rollout-resume', ({ rollout }) => `/upgrades/${rollout}`, 'tunnel-8', /^(继\s?续|Go on)$/),
  dialog('rollout-abort', ({ rollout }) => `/upgrades/${rollout}`, 'tunnel-8', /^(中\s?止|Abort)$/),
  dialog('plan-new', '/plans', '#content .plan-sheet', /(新增平面图|Add a plan)$/),
  dialog('plan-remove', '/plans', '#content .plan-sheet', /^(删除平面图|Remove the plan)$/),
  dialog('judge', ({ event }) => `/events/${event}`, '疏散人行通道', /(研\s?判|Judge)( v)?$/),
  dialog(
    'judge-send',
    ({ event }) => `/events/${event}`,
    '疏散人行通道',
    /(研\s?判|Judge)( v)?$/,
    { click: '.ant-modal input[value="confirmed"]' },
    { fill: '.ant-modal #organisation', text: '值班队' },
    { see: '.ant-modal #errand' },
  ),
  dialog('judge-false', ({ event }) => `/events/${event}`, '疏散人行通道', /(研\s?判|Judge)( v)?$/, {
    click: '.ant-modal input[value="false_alarm"]',
  }),
  dialog('incident-confirm', ({ proposed }) => `/incidents/${proposed}`, '基坑临边', /^(确认归并|Confirm)$/),
  dialog(
    'incident-split',
    ({ group }) => `/incidents/${group}`,
    '三号洞口反复闯入',
    { click: ':nth-match(#content tr.ant-table-row input[type=checkbox], 1)' },
    /^(拆分所选|Split off)/,
  ),
  dialog('incident-merge', '/incidents', '堆场烟雾', box('堆场烟雾'), box('加工棚烟雾'), /^(合\s?并|Merge)$/),
  dialog(
    'incident-unmerge',
    ({ merged }) => `/incidents/${merged}`,
    '料仓烟雾',
    /^(撤销合并|Undo the merge)$/,
  ),
  dialog(
    'task-batch',
    '/tasks',
    '清理三号洞口',
    box('清理三号洞口消防通道堆放的钢筋'),
    /^(接\s?管|Take over)$/,
  ),
  dialog('task-step', ({ task }) => `/tasks/${task}`, '正在赶往现场', /^(添加处置记录|Add a step)$/),
  dialog('task-complete', ({ task }) => `/tasks/${task}`, '正在赶往现场', /^(完\s?成|Complete)$/),
  dialog('rule', '/rules', '瓦斯超限', /^瓦斯超限$/),
  dialog('rule-register', '/rules', '瓦斯超限', /(登记规则|Register a rule)$/),
  dialog(
    'rule-rehearsed',
    '/rules',
    '瓦斯超限',
    /(登记规则|Register a rule)$/,
    { fill: '#rule-name', text: '夜间车辆' },
    { fill: '#rule-tenant_code', text: TENANT },
    { click: '[data-node-key="rehearsal"] [role=tab]' },
    { click: '[role=tabpanel]:visible .ant-btn-primary:not([disabled])' },
    { see: '[role=tabpanel]:visible .ant-table-row' },
  ),
  dialog('rule-explain', '/rules', '瓦斯超限', /(解释一个事件|Explain an event)$/),
  dialog('thresholds', '/rules', '瓦斯超限', /(查看阈值|Thresholds in force)$/),
  dialog('upload', '/library/files?all=1', '隧道通风', /(上传文件|Upload a file)$/),
  dialog(
    'file-effective',
    ({ reviewed }) => `/library/files/${reviewed}?all=1`,
    '第 3.3 条',
    /^(标为有效|Mark effective)$/,
  ),
  dialog(
    'file-withdraw',
    ({ document }) => `/library/files/${document}?all=1`,
    '第 3.3 条',
    /^(废\s?止|Withdraw)$/,
  ),
  dialog(
    'file-supersede',
    ({ document }) => `/library/files/${document}?all=1`,
    '第 3.3 条',
    /^(标为已被取代|Mark superseded)$/,
  ),
  dialog(
    'file-next',
    ({ document }) => `/library/files/${document}?all=1`,
    '第 3.3 条',
    /^(上传新版本|Upload a new version)$/,
  ),
  dialog('answer', '/library/answers?all=1', '动火作业由谁监护', /^动火作业由谁监护/),
  dialog('synonyms-add', '/library/synonyms', '猴车', /^(添加词组|Add a group)$/),
  dialog('synonyms-change', '/library/synonyms', '猴车', /^(修\s?改|Change)$/),
  dialog('wrong-synonyms', '/library/questions?kind=wrong&all=1', '双监护', /^(添加同义词|Add synonyms)$/),
  dialog('question-synonyms', '/library/questions', '小龙虾', /^(添加同义词|Add synonyms)$/),
  dialog(
    'knowledge-new',
    '/reports?tenant=acme&tab=knowledge',
    '未戴安全帽处置小结',
    /(新建报告或知识|New report or case)$/,
  ),
  dialog('revise', ({ report }) => `/reports/${report}?tenant=acme`, '处置小结', /(修\s?订|Revise)$/),
  dialog('webhook-new', '/integration', '监理平台', /(新建回调|New callback)$/),
  dialog('webhook-edit', '/integration', '监理平台', MORE, /^(编辑|Edit)$/),
  dialog('webhook-recover', '/integration', '监理平台', MORE, /^(补发遗漏|Send what was missed)$/),
  dialog('webhook-rotate', '/integration', '监理平台', MORE, /^(更换密钥|New secret)$/),
  dialog('webhook-disable', '/integration', '监理平台', MORE, /^(停用|Disable)$/),
  dialog(
    'delivery',
    ({ webhook }) => `/integration/webhooks/${webhook}`,
    'HTTP 200',
    /\+08:00|UTC|\d{2}:\d{2}/,
  ),
  dialog('client-new', '/integration?tab=clients', '报表系统', /(新建客户端|New client)$/),
  dialog('client-rotate', '/integration?tab=clients', '报表系统', MORE, /^(更换密钥|New secret)$/),
  dialog('client-remove', '/integration?tab=clients', '报表系统', MORE, /^(删除|Delete)$/),
  dialog('recompute', '/data', '项目管理系统', /^(重\s?算|Recompute)$/),
  dialog('consumer-pause', '/data', 'analysis', { click: '#content [title="analysis"]' }),
  dialog('consumer-new', '/data', 'analysis', /(登记订阅方|Register a consumer)$/),
  dialog('consumer-remove', '/data', 'analysis', {
    click: '#content button[aria-label$="analysis"]',
  }),
  dialog('key-new', '/data', 'analysis', /(签发密钥|Give out a key)$/),
  dialog('source-new', '/data', '项目管理系统', /(登记业务系统|Register a business system)$/),
  dialog('secret-new', '/admin?tab=secrets', '#content .ant-table', /(存入保密值|Give a secret)$/),
  dialog('account-set-up', '/account', '127.0.0.1', /^(设置验证器应用|Set up an authenticator app)$/),
  dialog(
    'user-sessions-end',
    '/admin',
    'li.chief',
    /^(对 owner 的更多操作|More for owner)$/,
    /^(结束所有会话|End all sessions)$/,
  ),
  dialog('user-new', '/admin', 'li.chief', /^(添加用户|Add a user)$/),
  dialog('user-permissions', '/admin', 'li.chief', /^(修改权限|Permissions)$/),
  dialog('user-password', '/admin', 'li.chief', /^(重设密码|Set password)$/),
  dialog('clearance', '/admin?tab=clearance', '#content .ant-table', /^(授予密级|Grant clearance)$/),
  dialog('channel-new', '/admin?tab=channels', '#content .ant-table', /(添加渠道|Add a channel)$/),
  dialog('alarm-take', '/admin?tab=alarms', '#content tbody button', /^(接手处理|Take over)$/),
  dialog('alarm-clear', '/admin?tab=alarms', '#content tbody button', /^(处理完毕|Dealt with)$/),
  dialog('retention-set', '/admin?tab=retention', '#content .ant-table', /^(设置期限|Set a period)$/),
  { ...dialog('menu', '/site-states', '30', { click: ':nth-match(.header .ant-btn, 1)' }), phone: true },
];

/** Until nothing has moved for some frames; what turns for ever, and the wave of a button, do not count. */
const STILL = `new Promise((still) => {
  let frames = 0;
  const look = () => {
    const moving = document.getAnimations().some(({ effect, playState }) =>
      playState === 'running' && effect?.getComputedTiming().iterations !== Infinity &&
      !effect?.target?.classList.contains('ant-wave'));
    frames = moving ? 0 : frames + 1;
    if (frames > 5) still();
    else requestAnimationFrame(look);
  };
  look();
})`;
const OVER = '.ant-modal, .ant-drawer-content-wrapper';

/** @returns what tells the dialog from what stands behind it */
export async function openDialog(
  page: Page,
  world: World,
  { address, shows, by }: DialogCase,
): Promise<string> {
  // What stood open is gone with its screen; a question of its own ends by Escape.
  await page.keyboard.press('Escape');
  await goTo(page, '/no/such/screen');
  await page.locator('.outcome-unknown').waitFor();
  await page.locator(`:is(${OVER}):visible`).first().waitFor({ state: 'detached' });
  await goTo(page, address(world));
  const content = page.locator('#content');
  await (shows.startsWith('#') ? page.locator(shows) : content.getByText(shows)).first().waitFor();
  for (const step of by) {
    if ('press' in step) await page.keyboard.press(step.press);
    else if ('click' in step) await page.locator(step.click).click();
    else if ('fill' in step) await page.locator(step.fill).fill(step.text);
    else if ('see' in step) await page.locator(step.see).first().waitFor();
    else await chosen(page, step).click();
  }
  await page.locator(`:is(${OVER}):visible`).first().waitFor();
  await page.locator(`:is(${OVER}) .ant-skeleton-active`).first().waitFor({ state: 'detached' });
  // Off what was clicked last, which may be in the dialog.
  await page.mouse.move(0, 0);
  await page.evaluate(STILL);
  return OVER;
}

function chosen(page: Page, name: RegExp) {
  const within = page.locator('#content, .ant-dropdown:not(.ant-dropdown-hidden)');
  return within
    .getByRole('button', { name })
    .or(within.getByRole('link', { name }))
    .or(within.getByRole('menuitem', { name }))
    .first();
}
