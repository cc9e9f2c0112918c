// Every address of the console that the matrix opens. A new route of the console needs its line here.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { INSTANCE } from '../../support/deployment.ts';
import { ROOT } from '../../support/sources.ts';
import type { World } from './world.ts';

export interface ScreenCase {
  /** As the table of routes has it. */
  route: string;
  /** With what stands for its parameters and filters. */
  address: (world: World) => string;
  /** Of its data, the same in each language, or a selector: the screen is there when it is shown. */
  shows: string;
}

const screen = (
  route: string,
  shows: string,
  address: string | ScreenCase['address'] = route,
): ScreenCase => ({
  route,
  shows,
  address: typeof address === 'string' ? () => address : address,
});

/** The tab of that key, chosen. */
const tab = (key: string): string => `[data-node-key="${key}"].ant-tabs-tab-active`;

export const screens: readonly ScreenCase[] = [
  screen('/now', '清理三号洞口'),
  screen('/sites', 'tunnel-8'),
  screen('/sites/$instance', 'Asia/Shanghai', `/sites/${INSTANCE}`),
  screen('/sites/$instance', tab('parked'), `/sites/${INSTANCE}?tab=parked`),
  screen('/sites/$instance', 'face-busy', `/sites/${INSTANCE}?tab=cameras`),
  screen('/sites/$instance', tab('day'), `/sites/${INSTANCE}?tab=day`),
  screen('/sites/$instance', tab('settings'), `/sites/${INSTANCE}?tab=settings`),
  screen('/sites/$instance', tab('policies'), `/sites/${INSTANCE}?tab=policies`),
  screen('/sites/$instance', tab('keys'), `/sites/${INSTANCE}?tab=keys`),
  screen('/sites/$instance', tab('care'), `/sites/${INSTANCE}?tab=care`),
  screen('/site-states', '30'),
  screen('/review', '渣土车驶入人行通道'),
  screen('/events', '渣土车驶入人行通道'),
  screen('/events/$id', '疏散人行通道', ({ event }) => `/events/${event}`),
  screen('/incidents', '三号洞口反复闯入'),
  screen('/incidents/$id', '三号洞口反复闯入', ({ group }) => `/incidents/${group}`),
  screen('/tasks', '补装三层楼板'),
  screen('/tasks/$id', '正在赶往现场', ({ task }) => `/tasks/${task}`),
  screen('/rules', '瓦斯超限'),
  screen('/rules/types', 'person.no_helmet', '/rules/types?tenant=acme'),
  screen('/library', '动火作业安全管理办法', '/library?q=动火'),
  screen('/library/files', '隧道通风与瓦斯监测规程', '/library/files?all=1'),
  screen('/library/files/$doc', '第 3.3 条', ({ document }) => `/library/files/${document}?all=1`),
  screen('/library/review', '隧道通风与瓦斯监测规程', '/library/review?all=1'),
  screen('/library/answers', '动火作业由谁监护', '/library/answers?all=1'),
  screen('/library/synonyms', '猴车'),
  screen('/library/questions', '小龙虾'),
  screen('/library/questions', '双监护', '/library/questions?kind=wrong&all=1'),
  screen('/reports', '未戴安全帽处置小结', '/reports?tenant=acme&tab=knowledge'),
  screen('/reports', tab('statistics'), '/reports?tenant=acme&tab=statistics'),
  screen('/reports/$id', '处置小结', ({ report }) => `/reports/${report}?tenant=acme`),
  screen('/upgrades', '9.1.0'),
  screen('/upgrades/$id', 'tunnel-8', ({ rollout }) => `/upgrades/${rollout}`),
  screen('/integration', '监理平台'),
  screen('/integration', '报表系统', '/integration?tab=clients'),
  screen('/integration/webhooks/$id', 'HTTP 200', ({ webhook }) => `/integration/webhooks/${webhook}`),
  screen('/plans', '[alt*="一号隧道平面图"]'),
  screen('/duty', '隧道值班'),
  screen('/calls', '[type="email"]'),
  screen('/account', '127.0.0.1'),
  screen('/data', '项目管理系统'),
  screen('/admin', 'li.chief'),
  ...['permissions', 'clearance', 'sessions', 'channels', 'secrets', 'alarms', 'audit', 'retention'].map(
    (name) => screen('/admin', tab(name), `/admin?tab=${name}`),
  ),
];

/** Opened by nobody who is logged in, or only a way to another. */
export const OUTSIDE = ['/', '/login', '/login/return', '/take', '/tasks/of/$instance/$origin'];

const FOLDER = path.join(ROOT, 'hq/console/app');

/** Paths of the table of routes as they are written. */
export function writtenRoutes(): string[] {
  const sources = readdirSync(FOLDER).map((name) => readFileSync(path.join(FOLDER, name), 'utf8'));
  return sources.flatMap((source) => {
    const found = [...source.matchAll(/^ +path: '([^']+)'/gm)].map(([, route = '']) => route);
    // Each is a path, or the one without that stands around the others; one that is written in a way that is
    // not seen here would be left out.
    const made = source.match(/createRoute\(\{/g)?.length ?? 0;
    const without = source.match(/^ +id: '/gm)?.length ?? 0;
    if (made !== found.length + without) throw new Error('a route is written in a way that is not read here');
    return found;
  });
}
