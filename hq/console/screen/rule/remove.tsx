import { Button, Popconfirm } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import type { Rule } from './queries.ts';
import { words } from './words.ts';

/** Deletes a rule, once it was confirmed. */
export function RemoveRule({ rule, done }: { rule: Rule; done: () => void }) {
  const say = useWords(words);
  const { tenantCode: tenant_code, kind, name } = rule;
  const { run, pending } = useAct({
    act: () =>
      answerOf(api.DELETE('/api/core/objects/rules', { params: { query: { tenant_code, kind, name } } })),
    changes: [['rules']],
    done: () => say('removed', { name }),
    then: done,
  });
  return (
    <Popconfirm title={say('removeWhy')} okText={say('remove')} onConfirm={() => run()}>
      <Button danger loading={pending}>
        {say('remove')}
      </Button>
    </Popconfirm>
  );
}
