import { App } from 'antd';
import { useState } from 'react';
import { answerOf, api, type Answer } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { eventKey, eventsKey, type Event, type Verdict } from './queries.ts';
import { verdictWords } from './verdict-words.ts';
import { words } from './words.ts';

export interface Judgement {
  verdict: Verdict;
  note?: string;
  into?: number;
}

type Reply =
  | ({ changed: boolean } & Answer<'/api/core/events/{id}/verdict', 'post'>)
  | ({ changed?: never } & Answer<'/api/core/events/{id}/corrections', 'post'>);

/**
 * Writes a verdict, or a correction of one. A verdict that came second changes nothing: `first` then says
 * whose stands.
 */
export function useJudge({
  event,
  correcting,
  recorded,
}: {
  event: Event;
  correcting: boolean;
  recorded: () => void;
}) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const text = useTimeText();
  const { identity } = useSession();
  const { message } = App.useApp();
  const [first, setFirst] = useState<string | null>(null);
  const { run, pending } = useAct<Judgement, Reply>({
    act: (judgement) => send(event, judgement, { correcting, by: identity.name }),
    changes: [eventsKey, eventKey(event.id), ['now']],
    done: ({ changed, verdict }) => (changed === false ? null : say('saved', { verdict: sayWord(verdict) })),
    then: (reply) => {
      if (reply.changed === false) {
        const { by, at, verdict } = reply;
        setFirst(say('first', { who: by, at: text.full(at, event.instance), verdict: sayWord(verdict) }));
        return;
      }
      if (event.feedbackUrl !== undefined) void message.info(say(reply.pushedBack ? 'heard' : 'notYet'));
      recorded();
    },
  });
  return { run, pending, first };
}

function send(
  { id, tenantCode }: Event,
  { verdict, note = '', into }: Judgement,
  { correcting, by }: { correcting: boolean; by: string },
): Promise<Reply> {
  const said = note.trim();
  const common = {
    verdict,
    by,
    by_kind: 'human' as const,
    tenant_code: tenantCode,
    ...(verdict === 'merged' && into !== undefined ? { merged_into: into } : {}),
  };
  const params = { path: { id } };
  return correcting
    ? answerOf(api.POST('/api/core/events/{id}/corrections', { params, body: { ...common, note: said } }))
    : answerOf(
        api.POST('/api/core/events/{id}/verdict', {
          params,
          body: { ...common, ...(said === '' ? {} : { note: said }) },
        }),
      );
}
