import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Checkbox, Descriptions, Flex, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { decisionWords } from './decision-words.ts';
import type { Eyes } from './eyes.ts';
import type { FileStateName } from './filters.ts';
import { FileState, stateOf, useValidity } from './marks.tsx';
import type { PolicyFile } from './queries.ts';
import { UploadFile } from './upload.tsx';
import { uploadWords } from './upload-words.ts';

type Target = 'effective' | 'withdrawn' | 'superseded';
const BUTTONS = { effective: 'markEffective', withdrawn: 'withdraw', superseded: 'supersede' } as const;
const DONE = { effective: 'nowEffective', withdrawn: 'nowWithdrawn', superseded: 'nowSuperseded' } as const;

/** What may be done with a file in its state; each is confirmed with what it means. */
export function Decisions({ eyes, file }: { eyes: Eyes; file: PolicyFile }) {
  const say = useWords(decisionWords);
  const sayUpload = useWords(uploadWords);
  // With the file as it is when the dialog opens: what was read then is what is decided on.
  const [begun, begin] = useState<{ target: Target; file: PolicyFile } | null>(null);
  const [uploading, upload] = useState<PolicyFile | null>(null);
  const status = stateOf(file);
  const possible: readonly Target[] =
    status === 'review'
      ? file.chunkCount > 0
        ? ['effective']
        : []
      : status === 'effective'
        ? ['superseded', 'withdrawn']
        : status === 'scheduled'
          ? ['withdrawn']
          : [];
  return (
    <>
      {status === 'effective' && <Button onClick={() => upload(file)}>{sayUpload('uploadNext')}</Button>}
      {possible.map((one) => (
        <Button
          key={one}
          type={one === 'effective' ? 'primary' : 'default'}
          danger={one === 'withdrawn'}
          onClick={() => begin({ target: one, file })}
        >
          {say(BUTTONS[one])}
        </Button>
      ))}
      {begun && <Decision eyes={eyes} {...begun} close={() => begin(null)} />}
      <UploadFile
        open={uploading !== null}
        close={() => upload(null)}
        tenant={eyes.tenant}
        before={uploading ?? file}
      />
    </>
  );
}

interface DecisionProps {
  eyes: Eyes;
  file: PolicyFile;
  target: Target;
  close: () => void;
}

function Decision({ eyes, file, target, close }: DecisionProps) {
  const say = useWords(decisionWords);
  const { identity } = useSession();
  const [reason, setReason] = useState('');
  const [read, setRead] = useState(false);
  const [accepted, accept] = useState(false);
  const missing = target === 'effective' ? file.missingNumbers : [];
  const state = useAct({
    act: () =>
      answerOf(
        api.POST('/api/core/kb/docs/{doc_id}/state', {
          params: { path: { doc_id: file.docId } },
          body: {
            tenant_code: eyes.tenant,
            state: target,
            by: identity.name,
            ...(target === 'effective' ? { expect_chunks_sha256: file.chunksSha256 ?? '' } : {}),
            ...(missing.length > 0 ? { accept_missing_numbers: accepted } : {}),
            ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          },
        }),
      ),
    changes: [['policy']],
    done: () => say(DONE[target]),
    conflict: ({ code }) =>
      code === 'stale_chunks' ? say('stale') : code === 'state_refused' ? say('moved') : undefined,
    then: close,
  });
  const ready =
    target === 'effective'
      ? read && (accepted || missing.length === 0)
      : target === 'superseded' || reason.trim() !== '';
  return (
    <Modal
      open
      title={say(BUTTONS[target])}
      width={640}
      onCancel={close}
      cancelText={say('cancel')}
      okText={say(BUTTONS[target])}
      okButtonProps={{ disabled: !ready, danger: target === 'withdrawn', loading: state.pending }}
      onOk={() => state.run(undefined)}
    >
      <Flex vertical gap="middle">
        <Meaning eyes={eyes} file={file} target={target} />
        {missing.length > 0 && <Missing numbers={missing} accepted={accepted} accept={accept} />}
        {target === 'effective' ? (
          <Checkbox checked={read} onChange={({ target: box }) => setRead(box.checked)}>
            {say('reviewed', { count: file.chunkCount })}
          </Checkbox>
        ) : (
          <Input.TextArea
            aria-label={say('reason')}
            placeholder={say(target === 'withdrawn' ? 'reasonNeeded' : 'reason')}
            maxLength={2000}
            rows={3}
            value={reason}
            onChange={({ target: box }) => setReason(box.value)}
          />
        )}
      </Flex>
    </Modal>
  );
}

/** Numbers that are missing: they do in the original too, or something was not read. */
function Missing({
  numbers,
  accepted,
  accept,
}: {
  numbers: readonly string[];
  accepted: boolean;
  accept: (accepted: boolean) => void;
}) {
  const say = useWords(decisionWords);
  return (
    <Alert
      type="warning"
      showIcon
      title={say('missing', { numbers: numbers.join(', ') })}
      description={
        <Checkbox checked={accepted} onChange={({ target }) => accept(target.checked)}>
          {say('acceptMissing')}
        </Checkbox>
      }
    />
  );
}

/** Both sides of a decision: what becomes of this file, and of the version before it. */
function Meaning({ eyes, file, target }: Omit<DecisionProps, 'close'>) {
  const say = useWords(decisionWords);
  const validity = useValidity();
  const before = useStanding(eyes, target === 'effective' ? file.supersedes : null);
  const count = file.chunkCount;
  const own = {
    effective: say('becomesEffective', { count, validity: validity(file) }),
    withdrawn: say('becomesWithdrawn', { count }),
    superseded: say('becomesSupersededByHand', { count }),
  }[target];
  const sides = [
    { key: 'this', label: say('thisFile'), children: <Side file={file} to={target} text={own} /> },
    ...(before.data
      ? [
          {
            key: 'before',
            label: say('fileBefore'),
            children: <Side file={before.data} to="superseded" text={say('becomesSuperseded')} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <Descriptions title={say('means')} column={1} size="small" bordered layout="vertical" items={sides} />
      {target === 'effective' && before.data === null && (
        <Alert type="info" showIcon title={say('noneBefore')} />
      )}
    </>
  );
}

function Side({ file, to, text }: { file: PolicyFile; to: FileStateName; text: string }) {
  return (
    <Flex vertical gap={4}>
      <strong className="wraps">
        {file.title} · {file.version}
      </strong>
      <span>
        <FileState status={stateOf(file)} /> → <FileState status={to} />
      </span>
      <span>{text}</span>
    </Flex>
  );
}

/** Versions are few; a ring among them would be a fault of the hub. */
const MOST_VERSIONS = 20;

/** The version in force that a file would take the place of; null: none. */
function useStanding(eyes: Eyes, supersedes: number | null) {
  return useQuery({
    queryKey: ['policy', 'standing', eyes.key, supersedes],
    queryFn: async () => {
      let next = supersedes;
      for (let step = 0; next !== null && step < MOST_VERSIONS; step += 1) {
        const one: PolicyFile = await answerOf(
          api.GET('/api/core/kb/docs/{doc_id}', {
            params: { path: { doc_id: next }, query: { ...eyes.query, fields: 'meta' } },
            headers: eyes.headers,
          }),
        );
        if (stateOf(one) === 'effective') return one;
        next = one.supersedes;
      }
      return null;
    },
  });
}
