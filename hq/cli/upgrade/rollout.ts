import { sayer } from '../../../common/message.ts';
import { UsageError } from '../../../common/terminal/command.ts';
import { EXIT } from '../../../common/terminal/exit.ts';
import { columns, renderTable } from '../../../common/terminal/table.ts';
import type { RolloutSiteView, RolloutView } from '../../fleet/rollout/schema.ts';
import type { Preview } from '../../fleet/rollout/service.ts';
import type { HubContext } from '../context.ts';
import { rolloutCommandMessages } from './rollout-messages.ts';

const PATH = '/api/core/rollouts';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
/** Rollouts that a list shows, and sites of one page. */
const LIST = 50;
const PAGE = 1_000;

interface Start {
  version: string;
  all: boolean;
  group: string | undefined;
  site: string[] | undefined;
  first: string[] | undefined;
  waves: string | undefined;
  hours: string | undefined;
  'settle-minutes': number | undefined;
  preview: boolean;
  json: boolean;
}

/** `rollout start` */
export async function startRollout(typed: Start, context: HubContext): Promise<number> {
  const { api, terminal, language } = context;
  const w = sayer(rolloutCommandMessages, language);
  const { version, preview, json, first = [], waves } = typed;
  const body = {
    ...{ version, ...targetOf(typed, context) },
    ...(first.length > 0 ? { first } : {}),
    ...(waves === undefined ? {} : { waves: waves.split(',').map((share) => share.trim()) }),
  };
  if (preview) {
    const found = await api.call<Preview>('POST', `${PATH}/preview`, body);
    terminal.out(json ? `${JSON.stringify(found)}\n` : previewText(found, context));
    return EXIT.well;
  }
  const settle = typed['settle-minutes'];
  const made = await api.call<RolloutView>('POST', PATH, {
    ...{ ...body, ...hoursOf(typed, context) },
    ...(settle === undefined ? {} : { caution: { settle_minutes: settle } }),
  });
  terminal.out(json ? `${JSON.stringify(made)}\n` : `${w('started', { version, id: made.id })}\n`);
  return EXIT.well;
}

/** @throws UsageError */
function targetOf({ all, group, site = [] }: Start, { language }: HubContext): object {
  const given = [all, group !== undefined, site.length > 0].filter(Boolean).length;
  if (given !== 1) throw new UsageError(sayer(rolloutCommandMessages, language)('which'));
  if (all) return { all: true };
  return group === undefined ? { sites: site } : { group };
}

/** @throws UsageError */
function hoursOf({ hours }: Start, { language }: HubContext): object {
  if (hours === undefined) return {};
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(hours) ?? [];
  if (until === undefined) throw new UsageError(sayer(rolloutCommandMessages, language)('badHours'));
  return { hours: { from: Number(from), until: Number(until) } };
}

function previewText({ waves, already, unable, held }: Preview, { language }: HubContext): string {
  const w = sayer(rolloutCommandMessages, language);
  const lines = waves.map(({ sites, names }, at) =>
    w('wave', { no: at + 1, sites, names: names.join(', ') + (sites > names.length ? ', …' : '') }),
  );
  if (already > 0) lines.push(w('already', { count: already }));
  if (unable.length > 0) lines.push(w('unable', { names: unable.join(', ') }));
  if (held.length > 0) lines.push(w('held', { names: held.join(', ') }));
  return `${lines.join('\n')}\n`;
}

/** `rollout list` */
export async function listRollouts(
  { json }: { json: boolean },
  { api, terminal, language, time }: HubContext,
): Promise<number> {
  const w = sayer(rolloutCommandMessages, language);
  const { items } = await api.call<{ items: RolloutView[] }>('GET', `${PATH}?limit=${LIST}`);
  if (json) terminal.out(`${JSON.stringify(items)}\n`);
  else if (items.length === 0) terminal.out(`${w('none')}\n`);
  else {
    const rows = items.map((one) => [
      ...[one.id, one.version, w(`states_${one.state}`), `${one.wave}/${one.waves.length}`],
      ...[one.sites, doneIn(one), one.failed].map(String),
      ...[time(one.startedAt), one.startedBy],
    ]);
    terminal.out(renderTable(columns(w('head')), rows));
  }
  return EXIT.well;
}

const doneIn = ({ counts }: RolloutView): number => (counts.installed ?? 0) + (counts.already ?? 0);

/** `rollout show`: it exits with 1 where a person is waited for. */
export async function showRollout(
  { id, failed, json }: { id: string; failed: boolean; json: boolean },
  context: HubContext,
): Promise<number> {
  const rollout = await context.api.call<RolloutView>('GET', pathOf(id));
  const sites = await sitesOf(id, failed, context);
  const { terminal } = context;
  if (json) terminal.out(`${JSON.stringify({ ...rollout, items: sites })}\n`);
  else terminal.out(`${headText(rollout, context)}${sitesText(sites, context)}`);
  return rollout.state === 'paused' ? EXIT.look : EXIT.well;
}

async function sitesOf(id: string, failed: boolean, { api }: HubContext): Promise<RolloutSiteView[]> {
  const sites: RolloutSiteView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { items: RolloutSiteView[]; nextCursor: string | null } = await api.call(
      'GET',
      `${pathOf(id)}/sites?limit=${PAGE}&failed=${failed}${at}`,
    );
    sites.push(...page.items);
    cursor = page.nextCursor;
  }
  return sites;
}

function headText(rollout: RolloutView, { language, time }: HubContext): string {
  const w = sayer(rolloutCommandMessages, language);
  const { version, wave, waves, startedBy: by, state, nextWaveAt } = rollout;
  const at = time(rollout.startedAt);
  const lines = [w('title', { version, state: w(`states_${state}`), wave, waves: waves.length, by, at })];
  const reason = language === 'zh' ? rollout.reasonZh : rollout.reason;
  if (reason !== null) lines.push(w('reason', { reason }));
  if (nextWaveAt !== null) lines.push(w('next', { at: time(nextWaveAt) }));
  const rows = waves.map((one) => [one.no, one.sites, one.through, one.failed, one.mayFail].map(String));
  return `${lines.join('\n')}\n\n${renderTable(columns(w('waveHead')), rows)}\n`;
}

function sitesText(sites: readonly RolloutSiteView[], { language, time }: HubContext): string {
  const w = sayer(rolloutCommandMessages, language);
  const rows = sites.map((one) => [
    ...[one.instance, String(one.wave), w(`steps_${one.step}`), time(one.at), one.runs ?? '-'],
    (language === 'zh' ? one.reasonZh : one.reason) ?? '-',
  ]);
  return renderTable(columns(w('siteHead')), rows);
}

/** `rollout pause`, `resume` and `abort`. */
export async function actOn(
  { id, act, body }: { id: string; act: 'pause' | 'resume' | 'abort'; body?: object },
  context: HubContext,
): Promise<number> {
  const rollout = await context.api.call<RolloutView>('POST', `${pathOf(id)}/${act}`, body);
  context.terminal.out(headText(rollout, context));
  return EXIT.well;
}
