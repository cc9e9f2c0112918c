import { readFileSync } from 'node:fs';
import { rehearse, type RecordedLine, type Rehearsal, type Rehearsed } from '../../common/agent/rule-set/rehearse.ts';
import type { ApiClient } from '../../common/terminal/api.ts';
import { readArguments, UsageError, type Terminal } from '../../common/terminal/command.ts';
import { renderTable } from '../../common/terminal/table.ts';
import { formatTime } from '../../common/time.ts';

interface Context {
  api: ApiClient;
  terminal: Terminal;
}

const USAGE = 'fieldline-site rules test EVENTS [--rules FILE] [--why] [--json]';

/** `rules test`: recorded events against a draft of rules, or against the rules of the running site. Nothing is stored. */
export async function rulesCommand(argv: string[], context: Context): Promise<number> {
  const [action, ...rest] = argv;
  if (action !== 'test') throw new UsageError(`usage: ${USAGE}`);
  const { values, positionals } = readArguments(rest, { rules: { type: 'string' }, why: { type: 'boolean' }, json: { type: 'boolean' } }, { min: 1, max: 1, usage: USAGE });
  const draft = values.rules === undefined ? await rulesOfSite(context.api) : draftOf(values.rules);
  const rehearsal = rehearse(draft, readLines(positionals[0] as string));
  if (values.json) context.terminal.out(`${JSON.stringify(rehearsal, null, 2)}\n`);
  else show(rehearsal, values.why ?? false, context.terminal);
  return rehearsal.faults.length > 0 || rehearsal.badRules.length > 0 ? 1 : 0;
}

async function rulesOfSite(api: ApiClient): Promise<unknown[]> {
  return (await api.call<{ items: unknown[] }>('GET', '/api/agent/rules')).items;
}

/** A JSON list of registrations. */
function draftOf(file: string): unknown[] {
  const parsed = parse(readText(file), file);
  if (!Array.isArray(parsed)) throw new UsageError(`${file} must hold a JSON list of rules, each as it would be registered`);
  return parsed;
}

/** A JSON list, or one JSON object a line; blank lines are passed over. */
function readLines(file: string): RecordedLine[] {
  const text = readText(file);
  if (text.trimStart().startsWith('[')) return (parse(text, file) as unknown[]).map((value, index) => ({ line: index + 1, value }));
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]));
}

function readLine(text: string, line: number): RecordedLine {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { line, fault: `is not JSON: ${(error as Error).message}` };
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${(error as Error).message}`);
  }
}

function show(rehearsal: Rehearsal, why: boolean, terminal: Terminal): void {
  const { events, faults, badRules, shadowed, unused } = rehearsal;
  const rows = events.map((one) => [String(one.line), formatTime(one.at), one.tenantCode, one.type, one.choice.ruleName ?? '(none 无)', outcome(one), one.choice.message]);
  if (rows.length > 0) terminal.out(renderTable(['LINE 行', 'TIME 时间', 'TENANT 租户', 'TYPE 类型', 'RULE 规则', 'OUTCOME 结果', 'MESSAGE 消息'], rows));
  if (why) for (const one of events) terminal.out(`\nline ${one.line}: ${one.type}\n${one.rules.map(({ name, priority, reason }) => `  ${priority} ${name}: ${reason}\n`).join('')}`);
  for (const { tenantCode, name, by } of shadowed) terminal.out(`shadowed 被遮蔽: ${tenantCode}/${name} can never decide, ${by.name} takes all that it matches\n`);
  for (const { tenantCode, name } of unused) terminal.out(`unused 未命中: no event fell under ${tenantCode}/${name}\n`);
  for (const { tenantCode, name, why: reasons } of badRules) terminal.out(`bad rule 规则有误: ${tenantCode ?? '(no tenant)'}/${name}: ${reasons.join('; ')}\n`);
  for (const { line, faults: wrong } of faults) terminal.out(`line ${line} is no event 事件有误: ${wrong.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}\n`);
}

function outcome({ choice, makesTask, suppressedBy }: Rehearsed): string {
  if (suppressedBy !== null) return `task, suppressed by line ${suppressedBy} 冷却中`;
  if (!makesTask) return 'no task 不建任务';
  if (choice.judgedBelow) return 'review, judged below the threshold 低置信复核';
  const due = choice.dueMinutes === null ? '' : `, due in ${choice.dueMinutes} min`;
  return `${choice.kind}${choice.channels.length > 0 ? ` by ${choice.channels.join('+')}` : ''}${due}`;
}
