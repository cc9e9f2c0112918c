import { readFileSync } from 'node:fs';
import {
  type RecordedLine,
  type Rehearsal,
  rehearse,
  type Rehearsed,
} from '../../common/agent/rule-set/rehearse.ts';
import { saidOf } from '../../common/agent/rule-set/rule-set-fault-messages.ts';
import { sayer } from '../../common/message.ts';
import type { ApiClient } from '../../common/terminal/api.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { columns, renderTable } from '../../common/terminal/table.ts';
import { formatTime } from '../../common/time.ts';
import type { SiteContext } from './context.ts';
import { type RulesMessages, rulesMessages } from './rules-messages.ts';

/**
 * `rules test`: recorded events against a draft of rules, or against the rules of the running site. Nothing
 * is stored.
 */
export async function testRules(
  { events, rules, why, json }: { events: string; rules: string | undefined; why: boolean; json: boolean },
  context: SiteContext,
): Promise<number> {
  const draft = rules === undefined ? await rulesOfSite(context.api) : draftOf(rules);
  const rehearsal = rehearse(draft, readLines(events));
  if (json) context.terminal.out(`${JSON.stringify(rehearsal, null, 2)}\n`);
  else show(rehearsal, why, context);
  return rehearsal.faults.length > 0 || rehearsal.badRules.length > 0 ? EXIT.look : EXIT.well;
}

async function rulesOfSite(api: ApiClient): Promise<unknown[]> {
  return (await api.call<{ items: unknown[] }>('GET', '/api/agent/rules')).items;
}

/** A JSON list of registrations. */
function draftOf(file: string): unknown[] {
  const parsed = parse(readText(file), file);
  if (!Array.isArray(parsed))
    throw new UsageError(`${file} must hold a JSON list of rules, each as it would be registered`);
  return parsed;
}

/** A JSON list, or one JSON object a line; blank lines are passed over. */
function readLines(file: string): RecordedLine[] {
  const text = readText(file);
  if (text.trimStart().startsWith('['))
    return (parse(text, file) as unknown[]).map((value, index) => ({ line: index + 1, value }));
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]));
}

function readLine(text: string, line: number): RecordedLine {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { line, fault: saidOf('not_json', { reason: (error as Error).message }) };
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

function show(rehearsal: Rehearsal, why: boolean, { terminal, language }: SiteContext): void {
  const w = sayer(rulesMessages, language);
  const { events, faults, badRules, shadowed, unused } = rehearsal;
  const rows = events.map((one) => [
    String(one.line),
    formatTime(one.at),
    one.tenantCode,
    one.type,
    one.choice.ruleName ?? w('noRule'),
    outcome(one, w),
    one.choice.message,
  ]);
  const lines = [
    ...(why
      ? events.flatMap((one) => [
          '',
          w('line', { line: one.line, type: one.type }),
          ...one.rules.map(
            (rule) => `  ${rule.priority} ${rule.name}: ${language === 'zh' ? rule.reasonZh : rule.reason}`,
          ),
        ])
      : []),
    ...shadowed.map(({ tenantCode, name, by }) =>
      w('shadowed', { rule: `${tenantCode}/${name}`, by: by.name }),
    ),
    ...unused.map(({ tenantCode, name }) => w('unused', { rule: `${tenantCode}/${name}` })),
    ...badRules.map(({ tenantCode, name, why: reasons }) =>
      w('badRule', { rule: `${tenantCode ?? w('noTenant')}/${name}`, reasons: reasons.join('; ') }),
    ),
    ...faults.map(({ line, faults: wrong }) =>
      w('noEvent', {
        line,
        faults: wrong.map(({ path, message }) => `${path} ${message}`.trim()).join('; '),
      }),
    ),
  ];
  const table = rows.length > 0 ? renderTable(columns(w('head')), rows) : '';
  terminal.out(`${table}${lines.map((line) => `${line}\n`).join('')}`);
}

function outcome({ choice, makesTask, suppressedBy }: Rehearsed, w: RulesMessages): string {
  if (suppressedBy !== null) return w('suppressed', { line: suppressedBy });
  if (!makesTask) return w('noTask');
  if (choice.judgedBelow) return w('judgedBelow');
  const due = choice.dueMinutes === null ? '' : w('due', { minutes: choice.dueMinutes });
  const by = choice.channels.length > 0 ? w('by', { channels: choice.channels.join('+') }) : '';
  return `${w(`kinds_${choice.kind}`)}${by}${due}`;
}
