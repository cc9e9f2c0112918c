import { Form, Modal } from 'antd';
import type { ReactNode } from 'react';
import { Fault } from '../../page/fault.tsx';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** What of `useAct` a dialog needs; with `quiet`, since the error is shown in the dialog. */
interface Acting<V> {
  run: (values: V) => void;
  pending: boolean;
  error: unknown;
  reset: () => void;
}

/**
 * A form over the screen. It stays open until the hub has taken it: `act` closes it by its `then`.
 * @param ok what the button does, in a word; red with `danger`
 */
export function FormDialog<V extends object>({
  open,
  title,
  ok,
  danger = false,
  initial,
  act,
  close,
  children,
}: {
  open: boolean;
  title: string;
  ok: string;
  danger?: boolean;
  initial?: Partial<V>;
  act: Acting<V>;
  close: () => void;
  children: ReactNode;
}) {
  const say = useWords(words);
  const [form] = Form.useForm<V>();
  const leave = (): void => {
    act.reset();
    close();
  };
  return (
    <Modal
      open={open}
      title={title}
      okText={ok}
      cancelText={say('cancel')}
      okButtonProps={{ danger, loading: act.pending }}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={leave}
      afterClose={() => form.resetFields()}
      destroyOnHidden
    >
      <Form<V>
        form={form}
        layout="vertical"
        requiredMark="optional"
        preserve={false}
        {...(initial ? { initialValues: initial } : {})}
        onFinish={(values) => act.run(values)}
      >
        {children}
        {act.error !== null && <Fault error={act.error} />}
      </Form>
    </Modal>
  );
}
