// Alarms of Hikvision's AI open platform: one word for all that its models find, told apart by their rules.
import { isObject, parsedJson } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import type { Document } from './document.ts';

/** `AIOP_Video`, `AIOP_Picture` and the like, in small letters. */
export const isOfPlatform = (word: string): boolean => word.startsWith('aiop_');

/** One alert may tell of several rules, which are an alarm each. */
export function eachRule(alert: Document): Document[] {
  if (!isOfPlatform(wordOf(alert.eventType)?.toLowerCase() ?? '')) return [alert];
  const data = dataOf(alert);
  const told = memberOf(data, 'alertInfo');
  if (!Array.isArray(told) || told.length < 2) return [{ ...alert, AIOPData: data }];
  return told.map((info: unknown) => ({ ...alert, AIOPData: { events: { alertInfo: [info] } } }));
}

/** Some firmwares write the data as a text of JSON. */
function dataOf({ AIOPData: data }: Document): unknown {
  return typeof data === 'string' ? (parsedJson(Buffer.from(data)) ?? data) : data;
}

const ruleOf = (alert: Document): unknown => memberOf(alert.AIOPData, 'ruleInfo');

export const ruleIdOf = (alert: Document): string | null => wordOf(memberOf(ruleOf(alert), 'ruleID', 2));

/** What people call the rule, where the device says it. */
export function ruleNameOf(alert: Document): string | null {
  const rule = ruleOf(alert);
  if (!isObject(rule)) return null;
  const names = ['ruleCustomName', 'ruleName', 'name'].map((name) => wordOf(memberOf(rule, name, 2)));
  return names.find((name) => name !== null) ?? null;
}
