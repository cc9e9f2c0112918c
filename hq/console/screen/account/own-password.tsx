import { Form, Input, Modal } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { Refused } from '../../api/fault.ts';
import { PasskeyNotGiven } from '../../login/prove.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

interface Passwords {
  current: string;
  next: string;
  again: string;
}

/** One's own password; the other sessions of this user end. */
export function OwnPassword({ name, close }: { name: string; close: () => void }) {
  const say = useWords(words);
  const [form] = Form.useForm<Passwords>();
  const { run, pending, error } = useAct({
    act: ({ current, next }: Passwords) =>
      answerOf(
        api.POST('/api/core/session/password', { body: { current_password: current, new_password: next } }),
      ),
    changes: [['sessions']],
    done: () => say('passwordChanged'),
    then: close,
    quiet: true,
  });
  const needed = { required: true, message: say('needed') };
  const same = ({ getFieldValue }: { getFieldValue: (name: 'next') => unknown }) => ({
    validator: (_: unknown, typed: unknown) =>
      typed === getFieldValue('next') ? Promise.resolve() : Promise.reject(new Error(say('passwordDiffers'))),
  });
  return (
    <Modal
      open
      title={say('password')}
      okText={say('passwordSave')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <p>{say('passwordMeans')}</p>
      <Form<Passwords> form={form} layout="vertical" requiredMark={false} onFinish={run}>
        {/* For the browser's keeper of passwords. */}
        <input type="text" autoComplete="username" value={name} readOnly hidden />
        <Form.Item name="current" label={say('ownPassword')} rules={[needed]}>
          <Input.Password autoComplete="current-password" maxLength={256} autoFocus />
        </Form.Item>
        <Form.Item name="next" label={say('passwordNew')} extra={say('passwordRule')} rules={[needed]}>
          <Input.Password autoComplete="new-password" maxLength={256} />
        </Form.Item>
        <Form.Item name="again" label={say('passwordAgain')} dependencies={['next']} rules={[needed, same]}>
          <Input.Password autoComplete="new-password" maxLength={256} />
        </Form.Item>
        {error !== null && <PasswordFault error={error} />}
      </Form>
    </Modal>
  );
}

export function PasswordFault({ error }: { error: unknown }) {
  const say = useWords(words);
  if (error instanceof PasskeyNotGiven)
    return (
      <div role="alert" className="fault-text">
        {say('notGiven')}
      </div>
    );
  return error instanceof Refused && error.code === 'invalid_credentials' ? (
    <div role="alert" className="fault-text">
      {say('passwordWrong')}
    </div>
  ) : (
    <Fault error={error} />
  );
}
