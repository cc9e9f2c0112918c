import { join, relative, resolve } from 'node:path';
import type { DemoPeople, DemoPerson } from './join/people.ts';
import type { DemoState } from './state.ts';

interface Guide {
  state: DemoState;
  /** Absolute. */
  stateDir: string;
  tenant: string;
  siteUrl: string;
  hubUrl: string;
  people: DemoPeople;
}

/** What can be looked at while the demonstration runs, as commands to paste. */
export function guide({ state, stateDir, tenant, siteUrl, hubUrl, people }: Guide): string {
  const keyFile = (of: 'hub' | 'site'): string => relative(process.cwd(), state.adminKeyFile(of));
  const key = (of: 'hub' | 'site'): string => `-H "X-Admin-Key: $(cat '${keyFile(of)}')"`;
  const json = `-H 'Content-Type: application/json'`;
  const elsewhere = stateDir !== resolve('.fieldline');
  const command = (program: 'hq' | 'site', words: string): string =>
    `${elsewhere ? `CORE_DATA_DIR='${join(stateDir, program)}' ` : ''}npm run ${program} -- ${words}`;
  const login = ({ name, password }: DemoPerson): string => `${name} / ${password}`;
  return `
Fieldline runs 已启动: two cameras → site ${siteUrl} → headquarters ${hubUrl}
  ← a construction business system.

  1. Open the console of headquarters 打开总部控制台: ${hubUrl}/
  2. Log in 登录: ${login(people.operator)}   sees all 总部人员，可见全部
            or 或 ${login(people.customer)}   a customer, sees the tenant ${tenant} 租户用户，仅见本租户
  3. Judge an event: its camera hears of it 研判一个事件，摄像机会收到结论

The site in a browser 站点状态页: ${siteUrl}/
  Log in with the code of 用此命令给出的登录码登录: ${command('site', 'login')}

Paste to look:

  # how the site and headquarters are, and what to do 站点与总部的状态和处理方法
  ${command('site', 'check')}
  ${command('hq', 'check')}
  # what headquarters refused of the site 被总部拒收的数据
  ${command('site', 'parked list')}

  # how the site's uplink goes 站点上行状态
  curl -s ${key('site')} ${siteUrl}/api/core/uplink/status
  # the newest events at the site 站点最新事件
  curl -s ${key('site')} '${siteUrl}/api/core/events/list?limit=3'
  # whose data headquarters has 总部接收状态
  curl -s ${key('hub')} ${hubUrl}/api/core/uplink/status
  # the same events at headquarters 总部的同一批事件
  curl -s ${key('hub')} '${hubUrl}/api/core/events/list?limit=3'
  # what was pulled from the business system 业务系统数据订阅
  curl -s ${key('hub')} ${hubUrl}/api/dataset/sources
  # a client for a third system, its token, and with that the snapshot of a project
  # 第三方系统的客户端、令牌与项目快照
  curl -s ${key('hub')} ${json} \\
    -d '{"tenant_code":"${tenant}","name":"third system"}' ${hubUrl}/api/integration/clients
  curl -s -H 'X-Tenant-Code: ${tenant}' ${json} \\
    -d '{"client_id":"…","client_secret":"…"}' ${hubUrl}/open/v1/oauth/token
  curl -s -H 'Authorization: Bearer …' ${hubUrl}/open/v1/project/LINE-7/snapshot
  # judge an event; its camera hears of it 下结论并反馈摄像机
  curl -s ${key('site')} ${json} \\
    -d '{"verdict":"confirmed","by":"me"}' ${siteUrl}/api/core/events/1/verdict

API descriptions 接口说明: ${siteUrl}/docs, ${hubUrl}/docs
Admin keys: ${state.adminKeyFile('site')}, ${state.adminKeyFile('hub')}
Logs: ${state.logs}   Everything else: ${stateDir}
Ctrl-C stops 按 Ctrl-C 停止
`;
}
