import { Button, Flex, Form, Input, Modal, Radio, Skeleton } from 'antd';
import { useState } from 'react';
import { useWords } from '../../word/language.tsx';
import { type Said, seenOf, useMerge, useUnmerge } from './deciding.ts';
import { decisionWords } from './decision-words.ts';
import { GroupPreview } from './preview.tsx';
import { type Incident, sizeOf, useIncidentsOf } from './queries.ts';
import { words } from './words.ts';

/** Merges the groups that are listed in it into one of them, and offers to undo that. */
export function MergeDialog({ groups, close }: { groups: readonly Incident[]; close: () => void }) {
  const say = useWords(decisionWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<Said>();
  const [into, choose] = useState(() => largest(groups));
  const [merged, setMerged] = useState<number[] | null>(null);
  const { run, pending } = useMerge(close);
  const others = groups.filter(({ id }) => id !== into).map(({ id }) => id);
  const seen = seenOf(groups);
  const total = groups.reduce((sum, group) => sum + sizeOf(group), 0);
  const send = (input: Said): void =>
    run(
      { into, others, seen, ...input },
      { onSuccess: (answer) => ('order' in answer ? close() : setMerged(others)) },
    );
  return (
    <Modal
      open
      width={640}
      title={say('mergeTitle', { count: groups.length })}
      mask={{ closable: false }}
      onCancel={close}
      footer={
        merged === null ? (
          <>
            <Button onClick={close}>{say('leave')}</Button>
            <Button type="primary" loading={pending} onClick={() => form.submit()}>
              {sayWord('merge')}
            </Button>
          </>
        ) : (
          <Button onClick={close}>{say('end')}</Button>
        )
      }
    >
      {merged === null ? (
        <Flex vertical gap="middle">
          <strong>{say('mergeInto')}</strong>
          <Radio.Group
            className="group-choice"
            value={into}
            disabled={pending}
            onChange={({ target }) => choose(Number(target.value))}
          >
            {groups.map((group) => (
              <Radio key={group.id} value={group.id}>
                <GroupPreview
                  group={group}
                  what={
                    group.id === into ? say('staysOpen', { count: total }) : say('isClosed', { id: into })
                  }
                />
              </Radio>
            ))}
          </Radio.Group>
          <Form form={form} layout="vertical" onFinish={send} disabled={pending}>
            <NoteField />
          </Form>
        </Flex>
      ) : (
        <Undo into={into} merged={merged} close={close} />
      )}
    </Modal>
  );
}

/** The groups of an order that the site refused, as they are now. */
export function MergeAgain({ ids, close }: { ids: readonly number[]; close: () => void }) {
  const say = useWords(decisionWords);
  const { groups, failed } = useIncidentsOf(ids);
  const open = groups?.filter(({ state }) => state !== 'closed') ?? [];
  if (groups && open.length > 1) return <MergeDialog groups={open} close={close} />;
  return (
    <Modal open title={say('mergeTitle', { count: ids.length })} footer={null} onCancel={close}>
      {groups || failed ? say('notClosed') : <Skeleton active paragraph={{ rows: 2 }} />}
    </Modal>
  );
}

/** The one with most events, and of several the oldest, stays unless another is chosen. */
function largest(groups: readonly Incident[]): number {
  const [first] = groups.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.id - b.id);
  return first?.id ?? 0;
}

function Undo({ into, merged, close }: { into: number; merged: readonly number[]; close: () => void }) {
  const say = useWords(decisionWords);
  const { run, pending } = useUnmerge(close);
  return (
    <Flex vertical gap="small" align="start">
      <strong>{say('mergeDone', { id: into })}</strong>
      {merged.map((id) => (
        <Button key={id} loading={pending} onClick={() => run({ id })}>
          {say('undo', { id })}
        </Button>
      ))}
    </Flex>
  );
}

export function NoteField() {
  const say = useWords(decisionWords);
  return (
    <Form.Item<Said> name="note" label={say('remark')}>
      <Input.TextArea rows={2} maxLength={4000} />
    </Form.Item>
  );
}
