import { Alert, Button, Card, Descriptions, Flex } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { NewAuthenticator } from './authenticator.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { useSecondFactor } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { words } from './words.ts';

type Step = 'setUp' | 'renew' | 'remove' | { codes: readonly string[] };

/** An authenticator app beside the password: set up, removed, and its recovery codes. */
export function SecondFactor() {
  const say = useWords(words);
  const [step, go] = useState<Step | null>(null);
  const close = (): void => go(null);
  const factor = useSecondFactor();
  const since = factor.data?.totpSince ?? null;
  // Whoever the provider of identities lets in is asked there for what it wants.
  if (factor.data?.password === false) return null;
  return (
    <Card size="small" title={say('second')}>
      <AsOf query={factor} />
      <Flex vertical gap="middle" align="start">
        <span className="quiet">{say('secondMeans')}</span>
        {factor.data?.demanded && since === null && (
          <Alert type="warning" showIcon title={say('secondDemanded')} />
        )}
        {factor.data && since === null && (
          <Button type="primary" onClick={() => go('setUp')}>
            {say('setUp')}
          </Button>
        )}
        {factor.data && since !== null && (
          <>
            <Descriptions
              size="small"
              column={1}
              items={[
                { key: 'since', label: say('secondSince'), children: <Time at={since} /> },
                { key: 'left', label: say('codesLeft'), children: factor.data.recoveryCodesLeft },
              ]}
            />
            <Flex gap="small" wrap>
              <Button onClick={() => go('renew')}>{say('renewCodes')}</Button>
              {!factor.data.demanded && (
                <Button danger onClick={() => go('remove')}>
                  {say('remove')}
                </Button>
              )}
            </Flex>
          </>
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
    act: (current_password: string) =>
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
    act: (current_password: string) =>
      answerOf(api.POST('/api/core/session/second_factor/remove', { body: { current_password } })),
    changes: [['second-factor'], ['sessions']],
    done: () => say('removed'),
    then: close,
    quiet: true,
  });
  return <PasswordDialog title={say('remove')} means={say('removeMeans')} act={act} close={close} />;
}
