import { TagsOutlined } from '@ant-design/icons';
import { Button, Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import type { Fleet, SiteLine } from './queries.ts';
import { words } from './words.ts';

/** Longest name of a group, as the hub takes it. */
export const GROUP_LENGTH = 64;

interface Chosen {
  chosen: readonly SiteLine[];
  groups: Fleet['groups'];
  /** After the change. */
  done: () => void;
}

/** Puts several sites into groups, or takes them out. */
export function Regroup(props: Chosen) {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<TagsOutlined />} onClick={() => setOpen(true)}>
        {say('regroup')}
      </Button>
      {open && <RegroupDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

interface Change {
  into?: string[];
  out?: string[];
}

function RegroupDialog({ chosen, groups, done, close }: Chosen & { close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<Change>();
  const sites = chosen.map(({ instance }) => instance);
  const act = useAct({
    act: async ({ into = [], out = [] }: Change) => {
      for (const name of into) await regroup(name, { add: sites, remove: [] });
      for (const name of out.filter((one) => !into.includes(one)))
        await regroup(name, { add: [], remove: sites });
    },
    changes: [['sites'], ['site-states'], ['site']],
    done: () => say('regrouped'),
    then: () => {
      close();
      done();
    },
    quiet: true,
  });
  const known = groups.map(({ name }) => ({ value: name, label: name }));
  const theirs = [...new Set(chosen.flatMap((site) => site.groups))];
  return (
    <Modal
      open
      title={say('regroupTitle', { count: chosen.length })}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={act.pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form form={form} layout="vertical" onFinish={act.run}>
        <Form.Item name="into" label={say('intoGroup')} extra={say('groupHint')}>
          <Select mode="tags" options={known} maxLength={GROUP_LENGTH} autoFocus />
        </Form.Item>
        <Form.Item name="out" label={say('outOfGroup')}>
          <Select mode="multiple" options={theirs.map((name) => ({ value: name, label: name }))} />
        </Form.Item>
      </Form>
      {act.error && <Fault error={act.error} />}
    </Modal>
  );
}

const regroup = (name: string, body: { add: string[]; remove: string[] }) =>
  answerOf(api.POST('/api/core/site-groups', { body: { name: name.trim(), ...body } }));
