import { Form, Input, Modal } from 'antd';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { PasswordFault } from './own-password.tsx';
import { words } from './words.ts';

interface Act {
  run: (typed: { password: string; name: string }) => void;
  pending: boolean;
  error: unknown;
}

/**
 * Asks for one's own password once more before something is done. @param named what a name that is asked for
 * is at first; left out: none is asked for
 */
export function PasswordDialog({
  title,
  means,
  act,
  close,
  named,
}: {
  title: string;
  means: ReactNode;
  act: Act;
  close: () => void;
  named?: string;
}) {
  const say = useWords(words);
  const { identity } = useSession();
  const [form] = Form.useForm<{ password: string; name?: string }>();
  return (
    <Modal
      open
      title={title}
      okText={say('goOn')}
      cancelText={say('cancel')}
      confirmLoading={act.pending}
      onOk={form.submit}
      onCancel={close}
    >
      <p>{means}</p>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ password, name = '' }) => act.run({ password, name })}
      >
        {/* For the browser's keeper of passwords. */}
        <input type="text" autoComplete="username" value={identity.name} readOnly hidden />
        {named !== undefined && (
          <Form.Item
            name="name"
            label={say('passkeyName')}
            initialValue={named}
            rules={[{ required: true, whitespace: true, message: say('needed') }]}
          >
            <Input maxLength={64} autoComplete="off" />
          </Form.Item>
        )}
        <Form.Item
          name="password"
          label={say('ownPassword')}
          rules={[{ required: true, message: say('needed') }]}
        >
          <Input.Password autoComplete="current-password" maxLength={256} autoFocus />
        </Form.Item>
        {act.error !== null && <PasswordFault error={act.error} />}
      </Form>
    </Modal>
  );
}
