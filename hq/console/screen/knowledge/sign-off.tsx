import { CheckOutlined } from '@ant-design/icons';
import { Alert, Button, Popconfirm } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { type Knowledge, knowledgeKey } from './queries.ts';
import { reviseWords } from './revise-words.ts';
import { SIGN_OFF, signedOf } from './sections.ts';

/** Signs the version that is shown; of any other the hub says who was first. */
export function SignOffButton({ object }: { object: Knowledge }) {
  const say = useWords(reviseWords);
  const text = useTimeText();
  const { identity, can } = useSession();
  const { version } = object;
  const { run, pending } = useAct({
    act: () =>
      answerOf(
        api.POST('/api/core/objects/knowledge/{core_id}/revise', {
          params: { path: { core_id: object.coreId } },
          body: {
            tenant_code: object.tenantCode,
            sections: {
              [SIGN_OFF]: say('signedText', { who: identity.name, at: text.full(timeNow()), version }),
            },
            by: identity.name,
            expected_version: version,
          },
        }),
      ),
    changes: [knowledgeKey],
    done: () => say('signed', { version }),
    conflict: () => say('signedStale'),
  });
  const state = signedOf(object.body.sections);
  if (!can('knowledge.manage') || state === 'not for it' || state === 'signed') return null;
  return (
    <Popconfirm
      title={say('signAsk', { version })}
      okText={say('sign')}
      cancelText={say('cancel')}
      onConfirm={() => run(undefined)}
    >
      <Button icon={<CheckOutlined />} loading={pending}>
        {say('sign')}
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
