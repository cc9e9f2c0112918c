import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Divider, Flex, Input, type InputProps } from 'antd';
import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react';
import { Refused } from '../api/fault.ts';
import icon from '../app/icon.svg';
import { Fault } from '../page/fault.tsx';
import { nameTab } from '../page/tab.ts';
import { logIn } from '../session/session.tsx';
import { LanguageChooser, LookChooser } from '../shell/preferences.tsx';
import { useWords } from '../word/language.tsx';
import { ProviderButton, useWays } from './provider.tsx';
import { words } from './words.ts';

export interface Credentials {
  name: string;
  password: string;
  /** Of the authenticator app, or a recovery code; where it was asked for. */
  code?: string;
}

export function Login() {
  const say = useWords(words);
  const router = useRouter();
  const queries = useQueryClient();
  const { back } = useSearch({ from: '/login' });
  useEffect(() => {
    nameTab(say('enter'));
  }, [say]);
  return (
    <Flex component="main" vertical align="center" justify="center" className="login" gap="middle">
      <div className="panel login-card">
        <Flex align="center" gap="small">
          <img src={icon} alt="" width={32} height={32} />
          <h1 className="page-title">{say('title')}</h1>
        </Flex>
        <LoginForm
          back={back ?? '/'}
          ended={back !== undefined}
          enter={async (credentials) => {
            await logIn(queries, credentials);
            router.history.push(back ?? '/');
          }}
        />
      </div>
      <Flex>
        <LanguageChooser brief={false} />
        <LookChooser />
      </Flex>
    </Flex>
  );
}

/**
 * The ways in at this hub: its provider of identities, and the form, behind a button where that is for
 * emergency accounts alone.
 */
export function LoginForm({ back, ...form }: FormProps & { back: string }) {
  const say = useWords(words);
  const { data: ways } = useWays();
  const [asked, ask] = useState(false);
  const shown = asked || ways?.password !== 'emergency';
  return (
    <>
      {ways && ways.provider !== null && <ProviderButton name={ways.provider} back={back} />}
      {ways && ways.provider !== null && shown && <Divider plain>{say('or')}</Divider>}
      {shown ? (
        <PasswordForm {...form} />
      ) : (
        <Button type="link" block onClick={() => ask(true)}>
          {say('emergency')}
        </Button>
      )}
    </>
  );
}

interface FormProps {
  ended: boolean;
  name?: string;
  enter: (credentials: Credentials) => Promise<void>;
}

/**
 * A plain form: that of the library with its rules weighs a tenth of the first page, for two fields.
 * @param ended whether it is asked for because a session has ended
 * @param name who is asked for first
 * @param enter logs in; what it throws is shown
 */
function PasswordForm({ ended, name, enter }: FormProps) {
  const say = useWords(words);
  const { mutate, isPending, error } = useMutation({ mutationFn: enter });
  const [missing, miss] = useState({ name: false, password: false, code: false });
  const asked = wanting(error) === 'second_factor_required';
  // It stays asked for, whatever comes of the code.
  const [second, ask] = useState(false);
  if (asked && !second) ask(true);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const [asName, password] = [String(typed.get('name')), String(typed.get('password'))];
    const code = second ? String(typed.get('code')) : undefined;
    miss({ name: asName === '', password: password === '', code: code === '' });
    if (asName !== '' && password !== '' && code !== '')
      mutate({ name: asName, password, ...(code !== undefined && { code }) });
  };
  return (
    <>
      {ended && !error && <Alert type="info" showIcon title={say('ended')} />}
      {asked && <Alert type="info" showIcon title={say('secondAsked')} />}
      {error && !asked && <LoginFault error={error} />}
      <form className="login-form" noValidate onSubmit={submit}>
        <Field label={say('name')} fault={missing.name ? say('nameNeeded') : null}>
          {(field) => (
            <Input
              {...field}
              name="name"
              defaultValue={name}
              autoFocus={name === undefined}
              autoComplete="username"
              maxLength={64}
            />
          )}
        </Field>
        <Field label={say('password')} fault={missing.password ? say('passwordNeeded') : null}>
          {(field) => (
            <Input.Password
              {...field}
              name="password"
              autoFocus={name !== undefined}
              autoComplete="current-password"
              maxLength={256}
            />
          )}
        </Field>
        {second && (
          <Field label={say('code')} fault={missing.code ? say('codeNeeded') : null}>
            {(field) => (
              <Input {...field} name="code" autoFocus autoComplete="one-time-code" maxLength={32} />
            )}
          </Field>
        )}
        <Button type="primary" htmlType="submit" block loading={isPending}>
          {say('enter')}
        </Button>
      </form>
    </>
  );
}

type FieldProps = Pick<InputProps, 'id' | 'status' | 'aria-invalid' | 'aria-describedby'>;

/** @param fault what is wrong with what was typed; null: nothing */
function Field({
  label,
  fault,
  children,
}: {
  label: string;
  fault: string | null;
  children: (field: FieldProps) => ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(fault === null
          ? {}
          : { status: 'error', 'aria-invalid': true, 'aria-describedby': `${id}-fault` }),
      })}
      {fault !== null && (
        <div role="alert" id={`${id}-fault`} className="fault-text">
          {fault}
        </div>
      )}
    </div>
  );
}

const wanting = (error: Error | null): string | null => (error instanceof Refused ? error.code : null);

function LoginFault({ error }: { error: unknown }) {
  const say = useWords(words);
  return error instanceof Refused && error.code === 'invalid_credentials' ? (
    <Alert type="error" showIcon title={say('wrong')} />
  ) : (
    <Fault error={error} />
  );
}
