// Messages of rules, with what stands for their placeholders (spec 3, "Template placeholders"). Pure.
import type { Severity } from '../../core/event/schema.ts';
import { eventTypeTable, typeWords } from '../../core/event/type-table.ts';
import type { NamesBody, Placeholder } from '../../core/rule/schema.ts';
import { fillKnown } from '../../message.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import { timeOf } from './match.ts';
import type { AgentEvent } from './record.ts';

/**
 * When and where, then what; site and point where the event names them. A type that has no name is said to be
 * an alarm, with its code.
 */
const placed = ({ type, siteRef, pointRef }: AgentEvent, what: string): string =>
  `{time} ${siteRef === null ? '' : '{site} '}${pointRef === null ? '' : `${pointRef} `}{camera} ` +
  `发生${eventTypeTable.has(type) ? '' : '告警 '}{type}({severity}),${what}`;

export const defaultMessage = (event: AgentEvent): string => placed(event, '请及时处理。');
export const unmatchedMessage = (event: AgentEvent): string =>
  placed(event, '没有匹配的响应规则，需要人工复核。');

export const unreadMessage = (event: AgentEvent): string => placed(event, '响应规则无法读取，需要人工复核。');

const SEVERITIES: Readonly<Record<Severity, string>> = {
  low: '低',
  medium: '中',
  high: '高',
  critical: '紧急',
};

/** What a type is called where the tenant has no name of its own. */
export const typeName = (type: string): string => typeWords(type)[1];

export interface MessageParts {
  event: AgentEvent;
  names: NamesBody;
  /** Minutes of the site's time from UTC. */
  offsetMin?: number | undefined;
}

/** Characters of a message: headquarters delivers no more, and a task with it fits into its body. */
const MAX_MESSAGE = 4_000;

/** Fills a template in. What is not known is shown as a dash. */
export function fillIn(template: string, parts: MessageParts): string {
  const filled = fillKnown(template, valuesOf(parts));
  return filled.length > MAX_MESSAGE ? `${filled.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : filled;
}

function valuesOf({
  event,
  names,
  offsetMin = BEIJING_OFFSET_MINUTES,
}: MessageParts): Record<Placeholder, string> {
  const severity = event.severity ?? 'medium';
  return {
    camera: event.cameraName ?? event.cameraRef ?? '-',
    camera_ref: event.cameraRef ?? '-',
    type: names.types[event.type] ?? typeName(event.type),
    type_code: event.type,
    severity: names.severities[severity] ?? SEVERITIES[severity],
    severity_code: severity,
    site: event.siteRef ?? '-',
    time: localTime(timeOf(event), offsetMin),
    event_id: event.id === null ? '-' : String(event.id),
  };
}

/** `2026-03-01 08:00:00` in the site's time. */
export function localTime(at: number, offsetMin: number): string {
  return new Date(at + offsetMin * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}
