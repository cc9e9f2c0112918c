import { Button } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { useAct } from '../../../page/act.ts';
import { useWords } from '../../../word/language.tsx';
import { WarnedDialog } from '../../integration/warned-dialog.tsx';
import { careKey, type Line } from './queries.ts';
import { words } from './words.ts';

/** Takes a request back that is not answered; says before and after whether the site may have done it. */
export function Withdraw({ line: { instance, id, what, sentAt } }: { line: Line }) {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  const act = useAct({
    act: () =>
      answerOf(
        api.DELETE('/api/core/sites/{instance}/requests/{id}', { params: { path: { instance, id } } }),
      ),
    changes: [careKey(instance)],
    done: (now) => say(now.sentAt === null ? 'withdrawnUnsent' : 'withdrawnSent'),
    then: () => setOpen(false),
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {say('withdraw')}
      </Button>
      <WarnedDialog
        open={open}
        title={say('withdrawTitle', { what: say(what) })}
        ok={say('withdraw')}
        why={say(sentAt === null ? 'withdrawUnsent' : 'withdrawSent')}
        act={{ ...act, run: () => act.run(undefined) }}
        close={() => setOpen(false)}
      />
    </>
  );
}
