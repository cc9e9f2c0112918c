import { Flex, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Command } from '../../page/command.tsx';
import { Fault } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { words } from './words.ts';

type Begun = Answer<'/api/core/session/second_factor/authenticator', 'post'>;
interface Steps {
  close: () => void;
  /** @param codes the recovery codes */
  done: (codes: readonly string[]) => void;
}

/** The password, then the picture for the app, then the first code of it. */
export function NewAuthenticator({ close, done }: Steps) {
  const say = useWords(words);
  const [begun, begin] = useState<Begun | null>(null);
  const act = useAct({
    act: ({ password: current_password }: { password: string }) =>
      answerOf(api.POST('/api/core/session/second_factor/authenticator', { body: { current_password } })),
    changes: [],
    done: () => null,
    then: begin,
    quiet: true,
  });
  return begun === null ? (
    <PasswordDialog title={say('setUp')} means={say('appMeans')} act={act} close={close} />
  ) : (
    <FirstCode begun={begun} close={close} done={done} />
  );
}

function FirstCode({ begun, close, done }: Steps & { begun: Begun }) {
  const say = useWords(words);
  const [form] = Form.useForm<{ code: string }>();
  const { run, pending, error } = useAct({
    act: (code: string) => answerOf(api.POST('/api/core/session/second_factor/confirm', { body: { code } })),
    changes: [['second-factor'], ['sessions'], ['session']],
    done: () => null,
    then: ({ recoveryCodes }) => done(recoveryCodes),
    quiet: true,
  });
  return (
    <Modal
      open
      title={say('setUp')}
      okText={say('confirm')}
      cancelText={say('cancel')}
      confirmLoading={pending}
      onOk={form.submit}
      onCancel={close}
    >
      <Flex vertical gap="middle">
        <span>{say('scan')}</span>
        <img
          className="qr"
          src={`data:image/svg+xml;base64,${btoa(begun.qr)}`}
          alt={say('qr')}
          width={200}
          height={200}
        />
        <div>
          {say('secret')} <Command text={begun.secret} />
        </div>
        <Form form={form} layout="vertical" requiredMark={false} onFinish={({ code }) => run(code)}>
          <Form.Item name="code" label={say('code')} rules={[{ required: true, message: say('needed') }]}>
            <Input autoComplete="one-time-code" inputMode="numeric" maxLength={32} autoFocus />
          </Form.Item>
          {error !== null && <Fault error={error} />}
        </Form>
      </Flex>
    </Modal>
  );
}
