import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Card, Flex, Form, Input, Typography } from 'antd';
import { useEffect } from 'react';
import { Refused } from '../api/fault.ts';
import icon from '../app/icon.svg';
import { Fault } from '../page/fault.tsx';
import { logIn } from '../session/session.tsx';
import { LanguageChooser, LookChooser } from '../shell/preferences.tsx';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

export interface Credentials {
  name: string;
  password: string;
}

export function Login() {
  const say = useWords(words);
  const router = useRouter();
  const queries = useQueryClient();
  const { back } = useSearch({ from: '/login' });
  useEffect(() => {
    document.title = `${say('enter')} · Fieldline`;
  }, [say]);
  return (
    <Flex component="main" vertical align="center" justify="center" className="login" gap="middle">
      <Card className="login-card">
        <Flex align="center" gap="small">
          <img src={icon} alt="" width={32} height={32} />
          <Typography.Title level={1} style={{ fontSize: 20, margin: 0 }}>
            {say('title')}
          </Typography.Title>
        </Flex>
        <LoginForm
          ended={back !== undefined}
          enter={async (credentials) => {
            await logIn(queries, credentials);
            router.history.push(back ?? '/');
          }}
        />
      </Card>
      <Flex>
        <LanguageChooser brief={false} />
        <LookChooser />
      </Flex>
    </Flex>
  );
}

/**
 * @param ended whether it is asked for because a session has ended
 * @param name who is asked for first
 * @param enter logs in; what it throws is shown
 */
export function LoginForm({
  ended,
  name,
  enter,
}: {
  ended: boolean;
  name?: string;
  enter: (credentials: Credentials) => Promise<void>;
}) {
  const say = useWords(words);
  const { mutate, isPending, error } = useMutation({ mutationFn: enter });
  return (
    <>
      {ended && !error && <Alert type="info" showIcon title={say('ended')} />}
      {error && <LoginFault error={error} />}
      <Form<Credentials>
        layout="vertical"
        requiredMark={false}
        initialValues={{ name }}
        onFinish={(credentials) => mutate(credentials)}
      >
        <Form.Item name="name" label={say('name')} rules={[{ required: true, message: say('nameNeeded') }]}>
          <Input autoFocus={name === undefined} autoComplete="username" maxLength={64} />
        </Form.Item>
        <Form.Item
          name="password"
          label={say('password')}
          rules={[{ required: true, message: say('passwordNeeded') }]}
        >
          <Input.Password autoFocus={name !== undefined} autoComplete="current-password" maxLength={256} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={isPending}>
          {say('enter')}
        </Button>
      </Form>
    </>
  );
}

function LoginFault({ error }: { error: unknown }) {
  const say = useWords(words);
  return error instanceof Refused && error.code === 'invalid_credentials' ? (
    <Alert type="error" showIcon title={say('wrong')} />
  ) : (
    <Fault error={error} />
  );
}
