import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Card, Checkbox, DatePicker, Flex, Form, Input, Select } from 'antd';
import type { Dayjs } from 'dayjs';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { actKey } from '../../page/act-key.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { levels } from '../policy/filters.ts';
import { words as levelWords } from '../policy/words.ts';
import { kinds } from '../report/filters.ts';
import { addWords } from './add-words.ts';
import { knowledgeKey } from './queries.ts';
import { SIGN_OFF } from './sections.ts';
import { type Kind, sectionsOf, type SectionWord, templates } from './templates.ts';
import { words } from './words.ts';

interface Fields {
  tenant_code: string;
  kind: Kind;
  title: string;
  level: (typeof levels)[number];
  until?: Dayjs | null;
  event?: string;
  sections: { title: string; text?: string }[];
  signed: boolean;
}

const MOST_CHARACTERS = 8_000;
const MOST_SECTIONS = 30;

/** The sections of a kind as the form begins with them, and their names by their titles. */
function useTemplate() {
  const say = useWords(addWords);
  const all = Object.values(templates).flat();
  return {
    names: new Map<string, SectionWord>(all.map((name) => [say(name), name])),
    of: (kind: Kind) => ({
      sections: templates[kind].filter((name) => name !== SIGN_OFF).map((name) => ({ title: say(name) })),
      signed: templates[kind].includes(SIGN_OFF),
    }),
  };
}

/** Stores what a person writes, and opens it. */
function useAdd(close: () => void) {
  const say = useWords(addWords);
  const { names } = useTemplate();
  const navigate = useNavigate();
  // Sent again after an answer that was lost, it is the same object.
  const [key] = useState(actKey);
  return useAct({
    act: ({ tenant_code, kind, title, level, until, event, sections, signed }: Fields) =>
      answerOf(
        api.POST('/api/core/objects/knowledge', {
          body: {
            ...{ tenant_code, src_system: 'console', src_pk: key, kind, title: title.trim() },
            security_level: level,
            ...(until ? { valid_until: until.endOf('day').toISOString() } : {}),
            ...(event?.trim() ? { source_ref: { event_id: Number(event) } } : {}),
            body: { sections: sectionsOf(sections, names, signed ? { title: say(SIGN_OFF) } : null) },
          },
        }),
      ),
    changes: [knowledgeKey],
    done: () => say('made'),
    then: ({ coreId, tenantCode: tenant }) => {
      close();
      void navigate({ to: '/reports/$id', params: { id: String(coreId) }, search: { tenant } });
    },
    quiet: true,
  });
}

/** Makes a report, case or list by hand. */
export function AddKnowledge({ kind = 'shift_handover' }: { kind: Kind | undefined }) {
  const say = useWords(addWords);
  const { can } = useSession();
  const [open, setOpen] = useState(false);
  if (!can('knowledge.manage')) return null;
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {say('add')}
      </Button>
      {open && <AddDialog kind={kind} close={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ kind, close }: { kind: Kind; close: () => void }) {
  const say = useWords(addWords);
  const template = useTemplate();
  const initial: Partial<Fields> = { kind, level: 'internal', ...template.of(kind) };
  return (
    <FormDialog<Fields>
      open
      title={say('add')}
      ok={say('save')}
      initial={initial}
      act={useAdd(close)}
      close={close}
    >
      <TenantField />
      <What />
      <SectionList />
      <Form.Item name="signed" valuePropName="checked">
        <Checkbox>{say('toBeSigned')}</Checkbox>
      </Form.Item>
    </FormDialog>
  );
}

function What() {
  const say = useWords(addWords);
  const sayObject = useWords(words);
  const sayLevel = useWords(levelWords);
  const template = useTemplate();
  const form = Form.useFormInstance<Fields>();
  const needed = [{ required: true, whitespace: true, message: say('needed') }];
  // What somebody wrote stays: only an untouched form begins anew with the sections of the kind.
  const begin = (chosen: Kind): void => {
    const written = form.getFieldValue('sections') as Fields['sections'];
    if (written.every(({ text }) => !text?.trim())) form.setFieldsValue(template.of(chosen));
  };
  return (
    <>
      <Form.Item name="kind" label={sayObject('kind')} rules={[{ required: true }]}>
        <Select options={kinds.map((value) => ({ value, label: sayObject(value) }))} onChange={begin} />
      </Form.Item>
      <Form.Item name="title" label={sayObject('name')} rules={needed}>
        <Input maxLength={512} />
      </Form.Item>
      <Form.Item name="level" label={sayObject('level')} extra={say('levelHint')}>
        <Select options={levels.map((value) => ({ value, label: sayLevel(value) }))} />
      </Form.Item>
      <Flex gap="middle" wrap>
        <Form.Item name="until" label={sayObject('validUntil')}>
          <DatePicker />
        </Form.Item>
        <Form.Item
          name="event"
          label={sayObject('event')}
          rules={[{ pattern: /^\s*[1-9][0-9]{0,15}\s*$/, message: say('eventNumber') }]}
        >
          <Input inputMode="numeric" maxLength={16} />
        </Form.Item>
      </Flex>
    </>
  );
}

function SectionList() {
  const say = useWords(addWords);
  const needed = [{ required: true, whitespace: true, message: say('needed') }];
  return (
    <Form.List name="sections">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small" role="group" aria-label={say('sections')}>
          <strong>{say('sections')}</strong>
          {rows.map(({ key, name }) => (
            <Card key={key} size="small">
              <Form.Item label={say('sectionTitle')} required>
                <Flex gap="small">
                  <Form.Item name={[name, 'title']} rules={needed} noStyle>
                    <Input maxLength={512} aria-label={say('sectionTitle')} />
                  </Form.Item>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={say('removeSection')}
                    onClick={() => remove(name)}
                  />
                </Flex>
              </Form.Item>
              <Form.Item
                name={[name, 'text']}
                label={say('sectionText')}
                rules={[{ max: MOST_CHARACTERS, message: say('tooLong', { most: MOST_CHARACTERS }) }]}
              >
                <Input.TextArea rows={4} className="grows" />
              </Form.Item>
            </Card>
          ))}
          {rows.length < MOST_SECTIONS && (
            <Button icon={<PlusOutlined />} onClick={() => add({ title: '' })}>
              {say('addSection')}
            </Button>
          )}
        </Flex>
      )}
    </Form.List>
  );
}
