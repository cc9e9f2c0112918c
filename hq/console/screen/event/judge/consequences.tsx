import { Checkbox, Form, Skeleton } from 'antd';
import { useSession } from '../../../session/session.tsx';
import { useWords } from '../../../word/language.tsx';
import type { Event } from '../queries.ts';
import type { Judgement } from './judgement.ts';
import type { useProposal } from './proposal.ts';
import { SendFields } from './send-fields.tsx';
import { sendWords } from './send-words.ts';
import { Errand, SettleFields } from './settle-fields.tsx';

/** What goes with the verdict that is chosen: somebody is sent, or those who were are called back. */
export function Consequences({
  event,
  proposal,
  errands,
}: { event: Event } & ReturnType<typeof useProposal>) {
  const say = useWords(sendWords);
  const { can } = useSession();
  const chosen = Form.useWatch<Judgement['verdict'] | undefined>('verdict');
  if (!can('tasks.manage')) return null;
  if (chosen === 'false_alarm') return <SettleFields errands={errands} />;
  if (chosen !== 'confirmed') return null;
  if (proposal === null) return <Skeleton active paragraph={{ rows: 2 }} />;
  return (
    <>
      {errands.length > 0 && (
        <Form.Item label={say('standing')}>
          {errands.map((task) => (
            <div key={task.id}>
              <Errand task={task} />
            </div>
          ))}
        </Form.Item>
      )}
      <SendFields event={event} proposal={proposal} />
    </>
  );
}

/** Whether the same look judges the others of a row. */
export function Others({ count }: { count: number }) {
  const say = useWords(sendWords);
  const chosen = Form.useWatch<Judgement['verdict'] | undefined>('verdict');
  if (count === 0 || (chosen !== 'confirmed' && chosen !== 'false_alarm')) return null;
  return (
    <Form.Item<Judgement> name="others" valuePropName="checked" initialValue>
      <Checkbox>{say('others', { count })}</Checkbox>
    </Form.Item>
  );
}
