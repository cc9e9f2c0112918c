import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import type { Identity } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { LoginFault } from './login-fault.tsx';
import { byPasskey } from './prove.ts';
import { words } from './words.ts';

/** Signs in by a passkey alone. @param enter goes on for who has */
export function PasskeyButton({ enter }: { enter: (identity: Identity) => void | Promise<void> }) {
  const say = useWords(words);
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => enter(await byPasskey()) });
  return (
    <>
      {error && <LoginFault error={error} />}
      <Button className="login-provider" block loading={isPending} onClick={() => mutate()}>
        {say('passkey')}
      </Button>
    </>
  );
}
