import { Alert, Button, Flex, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { defineList, whole } from '../../list/define.tsx';
import { canPasskey, made } from '../../login/prove.ts';
import { useAct } from '../../page/act.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { browserOf } from '../session/browser.ts';
import { Part } from './part.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import type { usePasskeys } from './queries.ts';
import { words } from './words.ts';

type Known = Answer<'/api/core/session/passkeys', 'get'>;
type Passkey = Known['items'][number];
interface Typed {
  password: string;
  name: string;
}

const PasskeyList = defineList<Passkey>({ keyOf: ({ id }) => id, useColumns });

/** One's own passkeys. @param done is given the recovery codes that a first one brings */
export function Passkeys({
  query,
  done,
}: {
  query: ReturnType<typeof usePasskeys>;
  done: (codes: readonly string[]) => void;
}) {
  const say = useWords(words);
  const [adding, add] = useState(false);
  const { data } = query;
  return (
    <Part title={say('passkeys')} under={say('passkeysMean')}>
      {data && data.items.length > 0 && (
        <div className="part-rows">
          <PasskeyList list={whole(query, data.items)} none={say('noPasskeys')} />
        </div>
      )}
      {data &&
        (canPasskey(data.origin) ? (
          <Button onClick={() => add(true)}>{say('addPasskey')}</Button>
        ) : (
          <WhyNot {...data} />
        ))}
      {adding && <Add close={() => add(false)} done={done} />}
    </Part>
  );
}

/** Why none can be added here. */
function WhyNot({ origin, off }: Known) {
  const say = useWords(words);
  const said =
    off !== null
      ? say(`off_${off}`)
      : origin !== null && origin !== window.location.origin
        ? say('passkeysAt', { origin })
        : say('passkeysUnknown');
  return <Alert type="info" showIcon title={said} />;
}

function useColumns(): TableColumnsType<Passkey> {
  const say = useWords(words);
  return [
    {
      key: 'name',
      title: say('passkeyName'),
      render: (_, { name, host }) => (
        <Flex vertical>
          <strong className="name">{name}</strong>
          {host !== window.location.hostname && (
            <span className="quiet">{say('passkeyElsewhere', { host })}</span>
          )}
        </Flex>
      ),
    },
    { key: 'made', title: say('passkeyMade'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    {
      key: 'used',
      title: say('passkeyUsed'),
      render: (_, { lastUsedAt }) =>
        lastUsedAt === null ? say('passkeyNever') : <Time at={lastUsedAt} ago />,
    },
    { key: 'acts', title: say('passkeyActions'), render: (_, one) => <Acts passkey={one} /> },
  ];
}

function Acts({ passkey }: { passkey: Passkey }) {
  const say = useWords(words);
  const [step, go] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => go(null);
  return (
    <Flex gap="small">
      <Button size="small" onClick={() => go('rename')}>
        {say('rename')}
      </Button>
      <Button size="small" danger onClick={() => go('remove')}>
        {say('remove')}
      </Button>
      {step === 'rename' && <Rename passkey={passkey} close={close} />}
      {step === 'remove' && <Remove passkey={passkey} close={close} />}
    </Flex>
  );
}

function Add({ close, done }: { close: () => void; done: (codes: readonly string[]) => void }) {
  const say = useWords(words);
  const act = useAct({
    act: async ({ password: current_password, name }: Typed) => {
      const body = { current_password };
      const { options } = await answerOf(api.POST('/api/core/session/passkeys/begin', { body }));
      const credential = await made(options);
      return answerOf(api.POST('/api/core/session/passkeys', { body: { name, credential } }));
    },
    changes: [['passkeys'], ['second-factor'], ['sessions'], ['session']],
    done: (_, { name }) => say('passkeyAdded', { name }),
    then: ({ recoveryCodes }) => {
      close();
      done(recoveryCodes);
    },
    quiet: true,
  });
  return (
    <PasswordDialog
      title={say('addPasskey')}
      means={say('addPasskeyMeans')}
      named={browserOf(navigator.userAgent)}
      act={act}
      close={close}
    />
  );
}

interface Of {
  passkey: Passkey;
  close: () => void;
}

function Rename({ passkey: { id, name: before }, close }: Of) {
  const say = useWords(words);
  const act = useAct({
    act: ({ password: current_password, name }: Typed) =>
      answerOf(
        api.PATCH('/api/core/session/passkeys/{id}', {
          params: { path: { id } },
          body: { name, current_password },
        }),
      ),
    changes: [['passkeys']],
    done: () => say('renamed'),
    then: close,
    quiet: true,
  });
  return (
    <PasswordDialog
      title={say('renamePasskey')}
      means={say('renamePasskeyMeans', { name: before })}
      named={before}
      act={act}
      close={close}
    />
  );
}

function Remove({ passkey: { id, name }, close }: Of) {
  const say = useWords(words);
  const act = useAct({
    act: ({ password: current_password }: Typed) =>
      answerOf(
        api.POST('/api/core/session/passkeys/{id}/remove', {
          params: { path: { id } },
          body: { current_password },
        }),
      ),
    changes: [['passkeys'], ['second-factor'], ['sessions']],
    done: () => say('passkeyRemoved', { name }),
    then: close,
    quiet: true,
  });
  return (
    <PasswordDialog
      title={say('removePasskey')}
      means={say('removePasskeyMeans', { name })}
      act={act}
      close={close}
    />
  );
}
