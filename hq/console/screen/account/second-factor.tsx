import { Alert, Button, Card, Flex } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { NewAuthenticator } from './authenticator.tsx';
import { Part } from './part.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { usePasskeys, useSecondFactor } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { words } from './words.ts';

type Step = 'setUp' | 'renew' | 'remove' | { codes: readonly string[] };
interface Typed {
  password: string;
}

/** What one proves beside the password: an authenticator app, passkeys, and the recovery codes for both. */
export function SecondFactor() {
  const say = useWords(words);
  const [step, go] = useState<Step | null>(null);
  const close = (): void => go(null);
  const factor = useSecondFactor();
  const passkeys = usePasskeys();
  // Whoever the provider of identities lets in is asked there for what it wants.
  if (factor.data?.password === false) return null;
  const since = factor.data?.totpSince ?? null;
  const keys = passkeys.data?.items.length ?? 0;
  const none = factor.data && passkeys.data && since === null && keys === 0;
  const last = factor.data?.demanded && keys === 0;
  return (
    <Card size="small" title={say('second')}>
      <AsOf query={factor} />
      <Flex vertical gap="large">
        <Flex vertical gap="middle">
          <span className="quiet">{say('secondMeans')}</span>
          {none && factor.data.demanded && <Alert type="warning" showIcon title={say('secondDemanded')} />}
        </Flex>
        <Part title={say('app')} under={say('appMeans')}>
          {factor.data && since === null && <Button onClick={() => go('setUp')}>{say('setUp')}</Button>}
          {since !== null && (
            <>
              <span>
                {say('secondSince')} <Time at={since} />
              </span>
              {!last && (
                <Button danger onClick={() => go('remove')}>
                  {say('remove')}
                </Button>
              )}
            </>
          )}
        </Part>
        <Passkeys query={passkeys} done={(codes) => codes.length > 0 && go({ codes })} />
        {factor.data && none === false && (
          <Part title={say('codes')} under={say('codesUnder')}>
            <span>
              {say('codesLeft')} {factor.data.recoveryCodesLeft}
            </span>
            <Button onClick={() => go('renew')}>{say('renewCodes')}</Button>
          </Part>
        )}
      </Flex>
      {step === 'setUp' && <NewAuthenticator close={close} done={(codes) => go({ codes })} />}
      {step === 'renew' && <Renew close={close} done={(codes) => go({ codes })} />}
      {step === 'remove' && <Remove close={close} />}
      {typeof step === 'object' && step !== null && <RecoveryCodes codes={step.codes} close={close} />}
    </Card>
  );
}

function Renew({ close, done }: { close: () => void; done: (codes: readonly string[]) => void }) {
  const say = useWords(words);
  const act = useAct({
    act: ({ password: current_password }: Typed) =>
      answerOf(api.POST('/api/core/session/second_factor/recovery_codes', { body: { current_password } })),
    changes: [['second-factor']],
    done: () => null,
    then: ({ recoveryCodes }) => done(recoveryCodes),
    quiet: true,
  });
  return <PasswordDialog title={say('renewCodes')} means={say('renewMeans')} act={act} close={close} />;
}

function Remove({ close }: { close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: ({ password: current_password }: Typed) =>
      answerOf(api.POST('/api/core/session/second_factor/remove', { body: { current_password } })),
    changes: [['second-factor'], ['sessions']],
    done: () => say('removed'),
    then: close,
    quiet: true,
  });
  return <PasswordDialog title={say('remove')} means={say('removeMeans')} act={act} close={close} />;
}
