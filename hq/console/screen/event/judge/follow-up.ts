// What follows of a judgement by the same act: somebody is sent, tasks of a false alarm are cancelled.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { timeNow } from '../../../api/clock.ts';
import { actKey } from '../../../page/act-key.ts';
import { faultText } from '../../../page/fault-text.ts';
import { words as pageWords } from '../../../page/words.ts';
import { useSession } from '../../../session/session.tsx';
import { dueAt } from '../../../time/deadline.ts';
import { useZones } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { sendMove } from '../../task/moves.ts';
import { tasksKey } from '../../task/queries.ts';
import { type Result, useTelling } from '../../task/telling.ts';
import { type Event, eventKey, eventsKey, type Timeline } from '../queries.ts';
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

/** One thing to do; what came of it is told in words, and it never fails. */
interface Step {
  key: string;
  text: string;
  act: () => Promise<Result>;
}

/** What a judgement may go with. */
interface Around {
  /** Tasks that stand on the event. */
  errands: readonly Task[];
  /** Ids of the unjudged events that it was opened for beside. */
  others: readonly number[];
}

const severityOf = ({ severity }: Event): NonNullable<Event['severity']> => severity ?? 'medium';

/**
 * Each part has its own answer and shows it. What failed is tried again alone, and what was done is not done
 * again.
 * @param ended after everything was done
 */
export function useFollowUp(event: Event, around: Around, ended: () => void) {
  const queries = useQueryClient();
  const [parts, setParts] = useState<readonly Part[] | null>(null);
  const stepsOf = useSteps(event, around);
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
        const { ok, text: said } = await step.act();
        all = all.map((part) =>
          part.key === step.key ? { ...part, state: ok ? 'done' : 'failed', said } : part,
        );
        setParts(all);
      }
      await Promise.all(
        [tasksKey, eventsKey, eventKey(event.id), ['now']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
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
function useSteps(event: Event, { errands, others }: Around): (judgement: Judgement, at: number) => Step[] {
  const tell = useTelling();
  const judgeOthers = useOthers(event);
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
    const steps: Step[] = [];
    if (judgement.others && others.length > 0) {
      const text = say('partOthers', { count: others.length });
      steps.push({ key: 'others', text, act: () => judgeOthers(others, judgement) });
    }
    if (verdict === 'confirmed' && organisation) {
      const text = say('partSend', { who: organisation });
      steps.push({ key: 'send', text, act: () => tell(send(judgement, at)) });
    }
    if (verdict === 'false_alarm')
      for (const task of errands.filter(({ id }) => !kept.includes(id))) {
        const text = say('partSettle', { title: task.title });
        steps.push({ key: `settle ${task.id}`, text, act: () => tell(settle(task, note)) });
      }
    return steps;
  };
}

/** Gives the others of a row the same verdict; what somebody else was first with stays as it is. */
function useOthers({ tenantCode }: Event): (ids: readonly number[], judgement: Judgement) => Promise<Result> {
  const say = useWords(sendWords);
  const sayPage = useWords(pageWords);
  const { language } = useLanguage();
  const { identity } = useSession();
  return async (ids, { verdict, note = '' }) => {
    const said = note.trim() === '' ? {} : { note: note.trim() };
    const body = { verdict, by: identity.name, by_kind: 'human', tenant_code: tenantCode, ...said } as const;
    let first = 0;
    try {
      for (const id of ids) {
        const judging = api.POST('/api/core/events/{id}/verdict', { params: { path: { id } }, body });
        const reply = await answerOf(judging);
        if (!reply.changed && reply.by !== identity.name) first += 1;
      }
    } catch (error) {
      const { title, details } = faultText(error, sayPage, language);
      return { ok: false, text: [title, ...details].join(' · ') };
    }
    const done = ids.length - first;
    return {
      ok: true,
      text: first === 0 ? say('othersDone', { done }) : say('othersFirst', { done, first }),
    };
  };
}
