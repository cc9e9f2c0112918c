import { App } from 'antd';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { useAct } from '../../../page/act.ts';
import { useSession } from '../../../session/session.tsx';
import { useWords } from '../../../word/language.tsx';
import { type Event, eventKey, eventsKey } from '../queries.ts';
import { words } from '../words.ts';
import type { Judgement } from './judgement.ts';
import type { useAim } from './judgements.ts';
import { verdictWords } from './verdict-words.ts';

type Recorded =
  | ({ changed: boolean } & Answer<'/api/core/events/{id}/verdict', 'post'>)
  | ({ changed?: never } & Answer<'/api/core/events/{id}/corrections', 'post'>);
/** `overtaken`: another has judged since, which the dialog then tells; nothing was sent. */
type Reply = Recorded | 'overtaken';

/** Writes a verdict, or a correction of one, as the dialog aims. One that came second changes nothing. */
export function useJudge({
  event,
  aim,
  recorded,
}: {
  event: Event;
  aim: ReturnType<typeof useAim>;
  recorded: (judgement: Judgement) => void;
}) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const { identity } = useSession();
  const { message } = App.useApp();
  const { correcting, isOvertaken } = aim;
  return useAct<Judgement, Reply>({
    act: async (judgement) =>
      correcting && (await isOvertaken())
        ? 'overtaken'
        : send(event, judgement, { correcting, by: identity.name }),
    changes: [eventsKey, eventKey(event.id), ['now']],
    done: (reply) =>
      reply === 'overtaken' || reply.changed === false
        ? null
        : say('saved', { verdict: sayWord(reply.verdict) }),
    then: (reply, judgement) => {
      // Whose verdict stands is among what is asked for anew. Where an answer was lost it is one's own.
      if (reply === 'overtaken') return;
      const own = reply.by === identity.name && reply.verdict === judgement.verdict;
      if (reply.changed === false && !own) return;
      if (event.feedbackUrl !== undefined) void message.info(say(reply.pushedBack ? 'heard' : 'notYet'));
      recorded(judgement);
    },
  });
}

function send(
  { id, tenantCode }: Event,
  { verdict, note = '', into }: Judgement,
  { correcting, by }: { correcting: boolean; by: string },
): Promise<Recorded> {
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
