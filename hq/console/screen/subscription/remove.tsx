import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { type Subscription, SUBSCRIPTIONS } from './queries.ts';
import { words } from './words.ts';

/** @param subscription null: it is not asked */
export function RemoveConsumer({
  subscription,
  close,
}: {
  subscription: Subscription | null;
  close: () => void;
}) {
  const say = useWords(words);
  const consumer = subscription?.consumer ?? '';
  const act = useAct({
    act: () => answerOf(api.DELETE('/api/core/subscriptions/{consumer}', { params: { path: { consumer } } })),
    changes: [SUBSCRIPTIONS],
    quiet: true,
    done: () => say('removed'),
    then: close,
  });
  return (
    <WarnedDialog
      open={subscription !== null}
      title={say('removeTitle', { consumer })}
      ok={say('remove')}
      why={say('removes')}
      act={act}
      close={close}
    />
  );
}
