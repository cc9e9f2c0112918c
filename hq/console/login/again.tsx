import { useQueryClient } from '@tanstack/react-query';
import { Flex, Modal } from 'antd';
import { goOn, type Identity } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { LoginForm } from './login.tsx';
import { words } from './words.ts';

/** Above every dialog and message. */
const ABOVE = 2_000;

/**
 * The login over the screen, whose session has ended: what was typed stays below it.
 * @param former who was logged in
 */
export function LoginAgain({ former }: { former: Identity }) {
  const say = useWords(words);
  const queries = useQueryClient();
  return (
    <Modal
      open
      title={say('title')}
      footer={null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={400}
      zIndex={ABOVE}
      rootClassName="login-again"
    >
      <Flex vertical gap="middle">
        <LoginForm
          ended
          back={window.location.pathname + window.location.search}
          name={former.name}
          enter={(identity) => goOn(queries, identity, former)}
        />
        <span className="quiet">{say('kept')}</span>
      </Flex>
    </Modal>
  );
}
