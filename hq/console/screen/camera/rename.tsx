import { EditOutlined } from '@ant-design/icons';
import { Button, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { PLANS } from '../plan/queries.ts';
import { cameraNamesKey, useCameraName } from './name.tsx';
import { words } from './words.ts';

interface Camera {
  tenantCode: string;
  instance: string;
  cameraRef: string;
}

/** Gives a camera the name by which people know it. */
export function RenameCamera({ camera }: { camera: Camera }) {
  const say = useWords(words);
  const { can } = useSession();
  const [open, setOpen] = useState(false);
  if (!can('sites.manage')) return null;
  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<EditOutlined />}
        aria-label={say('rename')}
        title={say('rename')}
        onClick={() => setOpen(true)}
      />
      {open && <RenameDialog camera={camera} close={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ camera, close }: { camera: Camera; close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<{ name?: string }>();
  const { tenantCode, instance, cameraRef } = camera;
  const called = useCameraName()(camera);
  const act = useAct({
    act: ({ name = '' }: { name?: string }) =>
      answerOf(
        api.PUT('/api/core/camera-names', {
          body: {
            ...{ tenant_code: tenantCode, instance, camera_ref: cameraRef },
            name: name.trim() === '' ? null : name.trim(),
          },
        }),
      ),
    changes: [cameraNamesKey, PLANS],
    done: () => say('named'),
    then: close,
    quiet: true,
  });
  return (
    <Modal
      open
      title={say('title', { camera: cameraRef })}
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
        initialValues={{ name: called === cameraRef ? '' : (called ?? '') }}
      >
        <Form.Item name="name" label={say('name')} extra={say('hint')}>
          <Input autoFocus maxLength={128} autoComplete="off" allowClear />
        </Form.Item>
      </Form>
      {act.error && <Fault error={act.error} />}
    </Modal>
  );
}
