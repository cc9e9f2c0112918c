import { useMemo } from 'react';
import { useWords } from '../../word/language.tsx';
import { severities } from '../event/filters.ts';
import { useTypeName } from '../event/type-name.tsx';
import { words as eventWords } from '../event/words.ts';
import { listOf } from './fields.tsx';
import { channels } from './filters.ts';
import type { Rule } from './queries.ts';
import { words } from './words.ts';

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const ACTIONS = { notify: 'notify', dispatch: 'dispatch', review: 'reviewAction' } as const;

/** What a response rule matches and does, in words; empty for a rule of another kind. */
export function useDescribed(rule: Rule): { match: string; action: string; message: string } {
  const say = useWords(words);
  const sayEvent = useWords(eventWords);
  const named = useTypeName(rule.tenantCode);
  return useMemo(() => {
    const { kind, body } = rule;
    if (kind !== 'response') return { match: '', action: '', message: '' };
    const [match, action] = [recordOf(body.match), recordOf(body.action)];
    const least = severities.find((one) => one === match.min_severity);
    const graded = severities.find((one) => one === action.severity);
    const [from, to] = listOf(match.hours);
    const matches = [
      listOf(match.event_types).map(named).join(', '),
      least === undefined ? '' : say('from', { severity: sayEvent(least) }),
      from !== undefined && to !== undefined ? say('hours', { from, to }) : '',
      listOf(match.site_refs).join(', '),
      listOf(match.camera_refs).join(', '),
    ];
    const chosen = listOf(action.channels);
    const does = [
      say(ACTIONS[action.kind as keyof typeof ACTIONS] ?? 'reviewAction'),
      channels
        .filter((one) => chosen.includes(one))
        .map((one) => say(one))
        .join(', '),
      graded === undefined ? '' : sayEvent(graded),
      typeof action.assignee_org === 'string' ? action.assignee_org : '',
      typeof action.due_minutes === 'number' ? say('due', { minutes: action.due_minutes }) : '',
    ];
    const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
    return {
      match: joined(matches) || say('everything'),
      action: joined(does),
      message: typeof action.message === 'string' ? action.message : '',
    };
  }, [say, sayEvent, named, rule]);
}
