import { EditOutlined } from '@ant-design/icons';
import { Button, Form, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { GROUP_LENGTH } from './group.tsx';
import { siteNamesKey } from './name.tsx';
import { type Site, useFleetChoices } from './queries.ts';
import { words } from './words.ts';

type Named = Pick<Site, 'instance' | 'displayName' | 'groups'>;

/** Changes what people call the site, and what it is looked after by; its instance stays. */
export function Rename({ site }: { site: Named }) {
  const say = useWords(words);
  const { can } = useSession();
  const [open, setOpen] = useState<Named | null>(null);
  if (!can('sites.manage')) return null;
  return (
    <>
      <Button icon={<EditOutlined />} onClick={() => setOpen(site)}>
        {say('rename')}
      </Button>
      {open && <RenameDialog site={open} close={() => setOpen(null)} />}
    </>
  );
}

interface Change {
  name?: string;
  groups?: string[];
}

function RenameDialog({
  site: { instance, displayName, groups: before },
  close,
}: {
  site: Named;
  close: () => void;
}) {
  const say = useWords(words);
  const [form] = Form.useForm<Change>();
  const { data: choices } = useFleetChoices();
  const act = useAct({
    act: async (change: Change) => {
      const body = changed(change, { displayName, groups: before });
      if (Object.keys(body).length > 0)
        await answerOf(api.PATCH('/api/core/sites/{instance}', { params: { path: { instance } }, body }));
    },
    changes: [['site', instance], ['sites'], ['site-states'], siteNamesKey],
    done: () => say('renamed'),
    then: close,
    quiet: true,
  });
  return (
    <Modal
      open
      title={say('renameTitle', { site: instance })}
      okText={say('save')}
      cancelText={say('cancel')}
      confirmLoading={act.pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        onFinish={act.run}
        initialValues={{ name: displayName ?? '', groups: before }}
      >
        <Form.Item name="name" label={say('displayName')} extra={say('displayNameHint', { site: instance })}>
          <Input autoFocus maxLength={64} autoComplete="off" allowClear />
        </Form.Item>
        <Form.Item name="groups" label={say('groups')} extra={say('groupHint')}>
          <Select
            mode="tags"
            maxLength={GROUP_LENGTH}
            options={choices?.groups.map(({ name }) => ({ value: name, label: name })) ?? []}
          />
        </Form.Item>
      </Form>
      {act.error && <Fault error={act.error} />}
    </Modal>
  );
}

/** What was not touched is not written over what others changed meanwhile. */
function changed({ name = '', groups = [] }: Change, before: Pick<Named, 'displayName' | 'groups'>) {
  const [called, grouped] = [name.trim() || null, groups.map((one) => one.trim())];
  return {
    ...(called !== before.displayName && { display_name: called }),
    ...(grouped.join('\n') !== before.groups.join('\n') && { groups: grouped }),
  };
}
