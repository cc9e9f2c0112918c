import { Button } from 'antd';
import { useState } from 'react';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { OwnPassword } from './own-password.tsx';
import { useSecondFactor } from './queries.ts';
import { SecondFactor } from './second-factor.tsx';
import { OwnSessions } from './sessions.tsx';
import { words } from './words.ts';

/** One's own account: sessions, and how one proves who one is. */
export function Account() {
  const say = useWords(words);
  const { identity } = useSession();
  const hasPassword = useSecondFactor().data?.password ?? false;
  const [changing, change] = useState(false);
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={hasPassword && <Button onClick={() => change(true)}>{say('password')}</Button>}
    >
      <SecondFactor />
      <OwnSessions />
      {changing && <OwnPassword name={identity.name} close={() => change(false)} />}
    </Page>
  );
}
