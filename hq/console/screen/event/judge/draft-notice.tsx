import { Alert, Button, type FormInstance } from 'antd';
import { useEffect, useState } from 'react';
import { useDraft } from '../../../page/draft.ts';
import { useWords } from '../../../word/language.tsx';
import type { Event } from '../queries.ts';
import type { Judgement } from './judgement.ts';
import { sendWords } from './send-words.ts';

/** What was typed is kept by this browser until it was recorded. */
export function useJudgementDraft(event: Event, form: FormInstance<Judgement>) {
  const [name] = useState(`${event.verdict === null ? 'judge' : 'correct'}.${event.id}`);
  const draft = useDraft<Judgement>(name);
  const { found } = draft;
  useEffect(() => {
    if (found) form.setFieldsValue(found);
  }, [found, form]);
  return { ...draft, clear: (): void => (form.resetFields(), draft.drop()) };
}

/** @param away headquarters did not answer when it was sent */
export function DraftNotice({
  draft: { found, clear },
  away,
}: {
  draft: ReturnType<typeof useJudgementDraft>;
  away: boolean;
}) {
  const say = useWords(sendWords);
  if (away) return <Alert type="warning" showIcon title={say('draftKept')} className="form-notice" />;
  if (!found) return null;
  return (
    <Alert
      type="info"
      showIcon
      title={say('draftFound')}
      className="form-notice"
      action={
        <Button size="small" onClick={clear}>
          {say('draftDrop')}
        </Button>
      }
    />
  );
}
