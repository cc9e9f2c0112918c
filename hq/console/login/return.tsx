import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Alert, Flex, Spin } from 'antd';
import { useEffect, useRef } from 'react';
import { answerOf, api } from '../api/client.ts';
import { Refused } from '../api/fault.ts';
import { Fault } from '../page/fault.tsx';
import { begin } from '../session/session.tsx';
import { useLanguage, useWords } from '../word/language.tsx';
import { takeBack } from './back.ts';
import { words } from './words.ts';

/** Where the provider of identities sends the browser back to. */
export function ProviderReturn() {
  const say = useWords(words);
  const router = useRouter();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: async (query: string) => {
      begin(queries, await answerOf(api.POST('/api/core/session/provider/finish', { body: { query } })));
      router.history.replace(takeBack());
    },
  });
  // What it came with is good for one answer.
  const sent = useRef(false);
  useEffect(() => {
    document.title = `${say('enter')} · Fieldline`;
    if (sent.current) return;
    sent.current = true;
    mutate(window.location.search.slice(1));
  }, [say, mutate]);
  return (
    <Flex component="main" vertical align="center" justify="center" className="login" gap="middle">
      <div className="panel login-card">
        <h1 className="page-title">{say('title')}</h1>
        <Flex vertical gap="middle" className="login-form">
          {error ? <SignInFault error={error} /> : <Spin description={say('entering')} />}
          {error && <Link to="/login">{say('again')}</Link>}
        </Flex>
      </div>
    </Flex>
  );
}

/** What the hub says of the sign-in says all: it is no permission that is missing. */
function SignInFault({ error }: { error: Error }) {
  const { language } = useLanguage();
  if (!(error instanceof Refused)) return <Fault error={error} />;
  const said = language === 'zh' ? (error.messageZh ?? error.message) : error.message;
  return <Alert type="error" showIcon title={said} />;
}
