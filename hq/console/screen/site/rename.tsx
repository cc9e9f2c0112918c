import { EditOutlined } from '@ant-design/icons';
import { Button, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { siteNamesKey } from './name.tsx';
import type { Site } from './queries.ts';
import { words } from './words.ts';

type Named = Pick<Site, 'instance' | 'displayName'>;

/** Changes what people call the site; its instance stays. */
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

function RenameDialog({ site: { instance, displayName }, close }: { site: Named; close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<{ name?: string }>();
  const act = useAct({
    act: ({ name = '' }: { name?: string }) =>
      answerOf(
        api.PATCH('/api/core/sites/{instance}', {
          params: { path: { instance } },
          body: { display_name: name.trim() === '' ? null : name.trim() },
        }),
      ),
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
      <Form form={form} layout="vertical" onFinish={act.run} initialValues={{ name: displayName ?? '' }}>
        <Form.Item name="name" label={say('displayName')} extra={say('displayNameHint', { site: instance })}>
          <Input autoFocus maxLength={64} autoComplete="off" allowClear />
        </Form.Item>
      </Form>
      {act.error && <Fault error={act.error} />}
    </Modal>
  );
}
