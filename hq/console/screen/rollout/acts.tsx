import { Button, Flex, Form, Radio } from 'antd';
import { useState } from 'react';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import {
  abortRollout,
  type FailedWay,
  pauseRollout,
  resumeRollout,
  type Rollout,
  ROLLOUTS,
} from './queries.ts';
import { words } from './words.ts';

const WAYS = ['as_they_are', 'leave_out', 'again'] as const satisfies readonly FailedWay[];

/** What a person can do with a rollout that is not over. */
export function Acts({ rollout }: { rollout: Rollout }) {
  const say = useWords(words);
  const [asked, ask] = useState<'resume' | 'abort' | null>(null);
  const pause = useAct({
    act: () => pauseRollout(rollout.id),
    changes: [ROLLOUTS],
    done: () => say('pausedDone'),
  });
  const close = () => ask(null);
  if (rollout.state !== 'running' && rollout.state !== 'paused') return null;
  return (
    <Flex gap="small" wrap>
      {rollout.state === 'running' ? (
        <Button onClick={() => pause.run(undefined)} loading={pause.pending}>
          {say('pause')}
        </Button>
      ) : (
        <Button type="primary" onClick={() => ask('resume')}>
          {say('resume')}
        </Button>
      )}
      <Button danger onClick={() => ask('abort')}>
        {say('abort')}
      </Button>
      <Resume open={asked === 'resume'} rollout={rollout} close={close} />
      <Abort open={asked === 'abort'} rollout={rollout} close={close} />
    </Flex>
  );
}

interface Asked {
  open: boolean;
  rollout: Rollout;
  close: () => void;
}

function Resume({ open, rollout: { id, version, failed }, close }: Asked) {
  const say = useWords(words);
  const act = useAct({
    act: ({ way = 'as_they_are' }: { way?: FailedWay }) => resumeRollout(id, way),
    changes: [ROLLOUTS],
    quiet: true,
    done: () => say('resumed'),
    then: close,
  });
  return (
    <FormDialog<{ way?: FailedWay }>
      open={open}
      title={say('resumeTitle', { version })}
      ok={say('resume')}
      initial={{ way: 'as_they_are' }}
      act={act}
      close={close}
    >
      {failed > 0 && (
        <Form.Item name="way" label={say('resumeWhy', { failed })}>
          <Radio.Group vertical options={WAYS.map((value) => ({ value, label: say(value) }))} />
        </Form.Item>
      )}
    </FormDialog>
  );
}

function Abort({ open, rollout: { id, version }, close }: Asked) {
  const say = useWords(words);
  const act = useAct({
    act: () => abortRollout(id),
    changes: [ROLLOUTS],
    quiet: true,
    done: () => say('abortedDone'),
    then: close,
  });
  return (
    <WarnedDialog
      open={open}
      title={say('abortTitle', { version })}
      ok={say('abort')}
      why={say('abortWhy')}
      act={act}
      close={close}
    />
  );
}
