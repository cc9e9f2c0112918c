import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Card, Flex, Form, Input, Typography } from 'antd';
import { useEffect } from 'react';
import { Refused } from '../api/fault.ts';
import icon from '../app/icon.svg';
import { LookChooser, LanguageChooser } from '../shell/preferences.tsx';
import { Fault } from '../page/fault.tsx';
import { logIn } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

interface Fields {
  name: string;
  password: string;
}

export function Login() {
  const say = useWords(words);
  const router = useRouter();
  const queries = useQueryClient();
  const { back } = useSearch({ from: '/login' });
  const login = useMutation({
    mutationFn: (fields: Fields) => logIn(queries, fields),
    onSuccess: () => router.history.push(back ?? '/'),
  });
  useEffect(() => {
    document.title = `${say('enter')} · Fieldline`;
  }, [say]);
  return (
    <Flex vertical align="center" justify="center" className="login" gap="middle">
      <Card className="login-card">
        <Flex align="center" gap="small">
          <img src={icon} alt="" width={32} height={32} />
          <Typography.Title level={1} style={{ fontSize: 20, margin: 0 }}>
            {say('title')}
          </Typography.Title>
        </Flex>
        {back !== undefined && !login.error && <Alert type="info" showIcon title={say('ended')} />}
        {login.error && <LoginFault error={login.error} />}
        <Form<Fields> layout="vertical" requiredMark={false} onFinish={(fields) => login.mutate(fields)}>
          <Form.Item name="name" label={say('name')} rules={[{ required: true, message: say('nameNeeded') }]}>
            <Input autoFocus autoComplete="username" maxLength={64} />
          </Form.Item>
          <Form.Item
            name="password"
            label={say('password')}
            rules={[{ required: true, message: say('passwordNeeded') }]}
          >
            <Input.Password autoComplete="current-password" maxLength={256} />
          </Form.Item>
          <Button type="primary" htmlType="submit" block loading={login.isPending}>
            {say('enter')}
          </Button>
        </Form>
      </Card>
      <Flex>
        <LanguageChooser brief={false} />
        <LookChooser />
      </Flex>
    </Flex>
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
