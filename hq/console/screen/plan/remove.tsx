import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { type Plan, PLANS } from './queries.ts';
import { words } from './words.ts';

/** @param plan null: it is not asked */
export function RemovePlan({ plan, close }: { plan: Plan | null; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: () => answerOf(api.DELETE('/api/core/plans/{id}', { params: { path: { id: plan?.id ?? '' } } })),
    changes: [PLANS],
    quiet: true,
    done: () => say('removed'),
    then: close,
  });
  return (
    <WarnedDialog
      open={plan !== null}
      title={say('removeTitle', { name: plan?.name ?? '' })}
      ok={say('remove')}
      why={say('removes')}
      act={act}
      close={close}
    />
  );
}
