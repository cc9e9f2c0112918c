import { CheckOutlined, UndoOutlined } from '@ant-design/icons';
import { Alert, Button, Popconfirm } from 'antd';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { type Knowledge, knowledgeKey } from './queries.ts';
import { reviseWords } from './revise-words.ts';
import { SIGN_OFF, signedOf } from './sections.ts';

/** Writes the signature over the version that is shown; of any other the hub says who was first. */
function useSignature({ coreId, tenantCode, version }: Knowledge) {
  const say = useWords(reviseWords);
  const { identity } = useSession();
  return useAct({
    act: (written: string) =>
      answerOf(
        api.POST('/api/core/objects/knowledge/{core_id}/revise', {
          params: { path: { core_id: coreId } },
          body: {
            ...{ tenant_code: tenantCode, by: identity.name, expected_version: version },
            sections: { [SIGN_OFF]: written },
          },
        }),
      ),
    changes: [knowledgeKey],
    done: (_, written) => (written === '' ? say('unsignDone') : say('signed', { version })),
    conflict: () => say('signedStale'),
  });
}

/** Signs the version that is shown, or takes the signature back. */
export function SignOffButton({ object }: { object: Knowledge }) {
  const say = useWords(reviseWords);
  const text = useTimeText();
  const { identity, can } = useSession();
  const { version } = object;
  const { run, pending } = useSignature(object);
  const state = signedOf(object.body.sections);
  if (!can('knowledge.manage') || state === 'not for it') return null;
  const sign = (): void => run(say('signedText', { who: identity.name, at: text.full(timeNow()), version }));
  return (
    <>
      {state !== 'waiting' && (
        <Asked
          ask={say('unsignAsk')}
          ok={say('unsign')}
          icon={<UndoOutlined />}
          act={() => run('')}
          {...{ pending }}
        />
      )}
      {state !== 'signed' && (
        <Asked
          ask={say('signAsk', { version })}
          ok={say('sign')}
          icon={<CheckOutlined />}
          act={sign}
          {...{ pending }}
        />
      )}
    </>
  );
}

/** A button that asks before it acts. */
function Asked({
  ask,
  ok,
  icon,
  pending,
  act,
}: {
  ask: string;
  ok: string;
  icon: ReactNode;
  pending: boolean;
  act: () => void;
}) {
  const say = useWords(reviseWords);
  return (
    <Popconfirm title={ask} okText={ok} cancelText={say('cancel')} onConfirm={act}>
      <Button icon={icon} loading={pending}>
        {ok}
      </Button>
    </Popconfirm>
  );
}

/** What readers must know of a report that nobody signed, or that was revised since. */
export function SignOffState({ object }: { object: Knowledge }) {
  const say = useWords(reviseWords);
  const state = signedOf(object.body.sections);
  if (state === 'waiting') return <Alert type="info" showIcon title={say('unsigned')} />;
  if (state === 'changed since') return <Alert type="warning" showIcon title={say('changedSince')} />;
  return null;
}
