import { Alert, Button, Flex, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { Refused } from '../../api/fault.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { words as pageWords } from '../../page/words.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { DifferenceText } from './difference.tsx';
import { type Knowledge, knowledgeKey } from './queries.ts';
import { reviseWords } from './revise-words.ts';
import { changes, differences, editable, lastReviser, rebased, sectionOf } from './sections.ts';

/** Characters of a section that people revise. */
const MOST_CHARACTERS = 8_000;
const MOST_NOTE = 4_000;

interface Written {
  sections: Record<string, string>;
  note?: string;
}

/** The object that a 409 brought along. */
const presentOf = (error: unknown): Knowledge | null =>
  error instanceof Refused && error.status === 409 && error.code === 'stale_version'
    ? (error.body.current as Knowledge)
    : null;

/** Sends what the form has over the version that it was begun with. */
function useRevise(base: Knowledge, close: () => void) {
  const say = useWords(reviseWords);
  const { identity } = useSession();
  return useAct({
    act: ({ sections, note }: Written) =>
      answerOf(
        api.POST('/api/core/objects/knowledge/{core_id}/revise', {
          params: { path: { core_id: base.coreId } },
          body: {
            tenant_code: base.tenantCode,
            sections,
            by: identity.name,
            expected_version: base.version,
            ...(note?.trim() ? { note: note.trim() } : {}),
          },
        }),
      ),
    changes: [knowledgeKey],
    done: ({ changed, knowledge: { version } }) => (changed ? say('saved', { version }) : say('same')),
    firstBy: (refused) => lastReviser(presentOf(refused)?.body.sections ?? {}),
    then: close,
    quiet: true,
  });
}

/** The sections that are for people, as they were when the dialog opened; what comes meanwhile is a 409. */
export function ReviseDialog({ object, close }: { object: Knowledge; close: () => void }) {
  const say = useWords(reviseWords);
  const [base, setBase] = useState(object);
  const [form] = Form.useForm<Written>();
  const { run, pending, error, reset } = useRevise(base, close);
  const texts = editable(base.body.sections);
  const now = presentOf(error);
  const goOn = (current: Knowledge): void => {
    const { sections } = form.getFieldsValue();
    form.setFieldValue('sections', rebased(texts, sections, current.body.sections));
    setBase(current);
    reset();
  };
  return (
    <Modal
      open
      width={900}
      title={say('title', { title: base.title })}
      okText={say('save')}
      cancelText={say('cancel')}
      okButtonProps={{ loading: pending, disabled: now !== null }}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form<Written>
        form={form}
        layout="vertical"
        initialValues={{ sections: texts }}
        onFinish={(written) => run(written)}
      >
        {now && (
          <Stale base={texts} written={form.getFieldsValue().sections} now={now} goOn={() => goOn(now)} />
        )}
        <div hidden={now !== null}>
          <Fields object={base} names={Object.keys(texts)} />
        </div>
        {error !== null && now === null && <Fault error={error} />}
      </Form>
    </Modal>
  );
}

function Fields({ object, names }: { object: Knowledge; names: readonly string[] }) {
  const say = useWords(reviseWords);
  return (
    <>
      {names.map((name) => (
        <Form.Item
          key={name}
          name={['sections', name]}
          label={
            <bdi className="breaks">
              {sectionOf(object.body.sections[name] ?? { text: '' }).title ?? name}
            </bdi>
          }
          rules={[{ max: MOST_CHARACTERS, message: say('tooLong', { most: MOST_CHARACTERS }) }]}
        >
          <Input.TextArea rows={6} className="grows" />
        </Form.Item>
      ))}
      <Form.Item name="note" label={say('note')}>
        <Input maxLength={MOST_NOTE} />
      </Form.Item>
    </>
  );
}

/** Who was first, and how the two differ. */
function Stale({
  base,
  written,
  now,
  goOn,
}: {
  base: Readonly<Record<string, string>>;
  written: Readonly<Record<string, string>>;
  now: Knowledge;
  goOn: () => void;
}) {
  const say = useWords(reviseWords);
  const sayPage = useWords(pageWords);
  const { sections } = now.body;
  const who = lastReviser(sections) ?? sayPage('somebody');
  return (
    <Flex vertical gap="middle">
      <Alert
        type="warning"
        showIcon
        title={say('first', { who, version: now.version })}
        description={say('compare')}
        action={
          <Button type="primary" onClick={goOn}>
            {say('goOn')}
          </Button>
        }
      />
      {differences(base, { ...base, ...changes(base, written) }, sections).map((one) => (
        <div key={one.name}>
          <Flex gap="small" wrap>
            <strong className="breaks">
              {sectionOf(sections[one.name] ?? { text: '' }).title ?? one.name}
            </strong>
            {one.both && <span className="quiet">{say('both')}</span>}
          </Flex>
          <div className="beside">
            <figure>
              <figcaption className="quiet">{say('present')}</figcaption>
              <DifferenceText before={base[one.name] ?? ''} after={one.theirs} />
            </figure>
            <figure>
              <figcaption className="quiet">{say('mine')}</figcaption>
              <DifferenceText before={base[one.name] ?? ''} after={one.mine} />
            </figure>
          </div>
        </div>
      ))}
    </Flex>
  );
}
