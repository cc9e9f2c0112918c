import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Flex, Input, type InputProps } from 'antd';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { Refused } from '../api/fault.ts';
import icon from '../app/icon.svg';
import { nameTab } from '../page/tab.ts';
import { begin, type Identity } from '../session/session.tsx';
import { LanguageChooser, LookChooser } from '../shell/preferences.tsx';
import { useWords } from '../word/language.tsx';
import { LoginFault } from './login-fault.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { byPassword, byPasswordAndPasskey, canPasskey, optionsOf } from './prove.ts';
import { ProviderButton, useWays } from './provider.tsx';
import { words } from './words.ts';

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
          enter={(identity) => {
            begin(queries, identity);
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
  const passkeys = canPasskey(ways?.passkeys ?? null);
  return (
    <>
      {ways && ways.provider !== null && <ProviderButton name={ways.provider} back={back} />}
      {ways && ways.provider !== null && shown && <div className="or">{say('or')}</div>}
      {shown ? (
        <PasswordForm {...form} passkeys={passkeys} />
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
  enter: (identity: Identity) => void | Promise<void>;
}

/**
 * A plain form: that of the library with its rules weighs a tenth of the first page, for two fields.
 * @param ended whether it is asked for because a session has ended
 * @param name who is asked for first
 * @param enter goes on for who has logged in
 * @param passkeys whether they can be at this address
 */
function PasswordForm({ ended, name, enter, passkeys }: FormProps & { passkeys: boolean }) {
  const say = useWords(words);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (identify: () => Promise<Identity>) => enter(await identify()),
  });
  const [missing, miss] = useState({ name: false, password: false, code: false });
  const asked = wanting(error);
  // It stays asked for, whatever comes of the code.
  const [second, ask] = useState<Wanted | null>(null);
  if (asked && second === null) ask(asked);
  const form = useRef<HTMLFormElement>(null);
  const send = (byPasskey: boolean): void => {
    if (form.current === null) return;
    const typed = new FormData(form.current);
    const [asName, password] = [String(typed.get('name')), String(typed.get('password'))];
    const code = second && !byPasskey ? String(typed.get('code')) : undefined;
    miss({ name: asName === '', password: password === '', code: code === '' });
    if (asName === '' || password === '' || code === '') return;
    const credentials = { name: asName, password, ...(code !== undefined && { code }) };
    mutate(() => (byPasskey ? byPasswordAndPasskey(credentials) : byPassword(credentials)));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(false);
  };
  return (
    <>
      {ended && !error && <Alert type="info" showIcon title={say('ended')} />}
      {asked && <Alert type="info" showIcon title={say(askedIn(asked, passkeys))} />}
      {error && !asked && <LoginFault error={error} />}
      <form ref={form} className="login-form" noValidate onSubmit={submit}>
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
        {second?.passkey && passkeys && (
          <Button block loading={isPending} onClick={() => send(true)}>
            {say('usePasskey')}
          </Button>
        )}
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
      {passkeys && second === null && <PasskeyButton enter={enter} />}
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

interface Wanted {
  app: boolean;
  passkey: boolean;
}

/** What is asked for beside the password. */
const wanting = (error: Error | null): Wanted | null =>
  error instanceof Refused && error.code === 'second_factor_required'
    ? { app: error.body.app === true, passkey: optionsOf(error) !== null }
    : null;

const askedIn = ({ app, passkey }: Wanted, passkeys: boolean) =>
  passkey && passkeys ? (app ? 'passkeyOrCodeAsked' : 'passkeyAsked') : app ? 'secondAsked' : 'codeAsked';
