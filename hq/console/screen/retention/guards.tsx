import { Alert, Button, Flex, Form, Input } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { type Guard, RETENTION } from './queries.ts';
import { words } from './words.ts';

/** Deletions that were stopped because they would take more than half; a person may let them go. */
export function Guards({ guards }: { guards: readonly Guard[] }) {
  const say = useWords(words);
  const { can } = useSession();
  const [asked, ask] = useState<Guard | null>(null);
  const tell = useGuardText();
  return (
    <>
      {guards.map((guard) => (
        <Alert
          key={guard.kind}
          type="error"
          showIcon
          title={tell(guard)}
          description={
            <Flex vertical gap={4}>
              <span>{say('guardWhy')}</span>
              <span className="quiet">
                {say('guardSince')} <Time at={guard.since} />
              </span>
            </Flex>
          }
          action={
            can('retention.confirm') && (
              <Button danger onClick={() => ask(guard)}>
                {say('confirm')}
              </Button>
            )
          }
        />
      ))}
      <LetGo guard={asked} close={() => ask(null)} />
    </>
  );
}

function useGuardText() {
  const say = useWords(words);
  const { language } = useLanguage();
  return ({ kind, reason, expired, total }: Guard): string => {
    const given = { what: say(kind), expired: number(expired, language) };
    return reason === 'everything'
      ? say('guardEverything', given)
      : say('guardHalf', { ...given, total: number(total, language) });
  };
}

function LetGo({ guard, close }: { guard: Guard | null; close: () => void }) {
  const say = useWords(words);
  const { identity } = useSession();
  const tell = useGuardText();
  const act = useAct({
    act: ({ note }: { note?: string }) =>
      answerOf(
        api.POST('/api/core/retention/confirm', {
          body: {
            kind: guard?.kind ?? 'events',
            by: identity.name,
            ...(note?.trim() ? { note: note.trim() } : {}),
          },
        }),
      ),
    changes: [RETENTION],
    quiet: true,
    done: () => say('confirmed'),
    then: close,
  });
  return (
    <FormDialog
      open={guard !== null}
      title={say('confirmTitle')}
      ok={say('confirm')}
      danger
      act={act}
      close={close}
    >
      {guard && <Alert type="warning" showIcon title={tell(guard)} description={say('confirmWhy')} />}
      <Form.Item name="note" label={say('note')}>
        <Input.TextArea rows={2} maxLength={2000} />
      </Form.Item>
    </FormDialog>
  );
}
