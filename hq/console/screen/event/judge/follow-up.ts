// What follows of a judgement by the same act: somebody is sent, tasks of a false alarm are cancelled.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { timeNow } from '../../../api/clock.ts';
import { useSession } from '../../../session/session.tsx';
import { dueAt } from '../../../time/deadline.ts';
import { useZones } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import { sendMove } from '../../task/moves.ts';
import { tasksKey } from '../../task/queries.ts';
import { useTelling } from '../../task/telling.ts';
import { type Event, eventKey, type Timeline } from '../queries.ts';
import type { Judgement } from './judgement.ts';
import { sendWords } from './send-words.ts';

type Task = Timeline['tasks'][number];

export interface Part {
  key: string;
  text: string;
  state: 'sending' | 'done' | 'failed';
  /** What came of it, in words. */
  said: string;
}

/** One task that is made or moved. */
interface Step {
  key: string;
  text: string;
  act: () => Parameters<ReturnType<typeof useTelling>>[0];
}

const severityOf = ({ severity }: Event): NonNullable<Event['severity']> => severity ?? 'medium';

/** A key of its own for one act of a person: given again it does nothing twice. */
const actKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('');

/**
 * Each part has its own answer and shows it. What failed is tried again alone, and what was done is not done
 * again.
 * @param ended after everything was done
 */
export function useFollowUp(event: Event, errands: readonly Task[], ended: () => void) {
  const queries = useQueryClient();
  const [parts, setParts] = useState<readonly Part[] | null>(null);
  const stepsOf = useSteps(event, errands);
  const tell = useTelling();
  // Deadlines count from the act, however often it takes to send it.
  const [actedAt, act] = useState<number | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ judgement, at }: { judgement: Judgement; at: number }) => {
      const steps = stepsOf(judgement, at);
      const before = new Map(parts?.map((part) => [part.key, part]));
      let all = steps.map(({ key, text }): Part => {
        const known = before.get(key);
        return known?.state === 'done' ? known : { key, text, state: 'sending', said: '' };
      });
      setParts(all);
      for (const step of steps) {
        if (before.get(step.key)?.state === 'done') continue;
        const { ok, text: said } = await tell(step.act());
        all = all.map((part) =>
          part.key === step.key ? { ...part, state: ok ? 'done' : 'failed', said } : part,
        );
        setParts(all);
      }
      await Promise.all(
        [tasksKey, eventKey(event.id), ['now']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      return all;
    },
    onSuccess: (all) => {
      if (all.every(({ state }) => state === 'done')) ended();
    },
  });
  const run = (judgement: Judgement): void => {
    const at = actedAt ?? timeNow();
    act(at);
    mutate({ judgement, at });
  };
  return { parts, run, pending: isPending };
}

/** What a judgement asks for beside the verdict. */
function useSteps(event: Event, errands: readonly Task[]): (judgement: Judgement, at: number) => Step[] {
  const say = useWords(sendWords);
  const zones = useZones();
  const { identity } = useSession();
  const [retryKey] = useState(actKey);
  const send = ({ organisation = '', due = '60', dueOwn, errand = '' }: Judgement, at: number) => {
    const own = dueOwn === undefined ? null : Date.parse(dueOwn);
    const by = dueAt(due, own, at, zones.of(event.instance));
    return answerOf(
      api.POST('/api/core/objects/tasks', {
        headers: { 'Idempotency-Key': retryKey },
        body: {
          tenant_code: event.tenantCode,
          type: 'disposal',
          event_id: event.id,
          title: errand.trim(),
          severity: severityOf(event),
          assignee_org: organisation,
          ...(by === null ? {} : { due_at: by }),
        },
      }),
    );
  };
  const settle = ({ id, state }: Task, note: string) =>
    sendMove({ id, tenantCode: event.tenantCode, state }, 'cancelTask', { note }, identity.name);
  return (judgement, at) => {
    const { verdict, organisation, note = '', kept = [] } = judgement;
    if (verdict === 'confirmed')
      return organisation
        ? [{ key: 'send', text: say('partSend', { who: organisation }), act: () => send(judgement, at) }]
        : [];
    if (verdict !== 'false_alarm') return [];
    return errands
      .filter(({ id }) => !kept.includes(id))
      .map((task) => ({
        key: `settle ${task.id}`,
        text: say('partSettle', { title: task.title }),
        act: () => settle(task, note),
      }));
  };
}
