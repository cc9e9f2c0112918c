import { useMutation, useQuery } from '@tanstack/react-query';
import { Alert, Button, Card, Flex, Skeleton, Typography } from 'antd';
import { useEffect } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { Refused } from '../../api/fault.ts';
import icon from '../../app/icon.svg';
import { Fault } from '../../page/fault.tsx';
import { nameTab } from '../../page/tab.ts';
import { LanguageChooser } from '../../shell/preferences.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { words } from './words.ts';

type Link = Answer<'/api/core/duty/link/look', 'post'>;

/**
 * What the link in a mail leads to: one button, without a log-in. The link stands behind `#`, which goes into
 * no log on the way.
 */
export function TakePage() {
  const say = useWords(words);
  const token = window.location.hash.slice(1);
  const look = useQuery({
    queryKey: ['call-link', token],
    queryFn: () => answerOf(api.POST('/api/core/duty/link/look', { body: { token } })),
    enabled: token !== '',
  });
  useEffect(() => {
    nameTab(say('takeTitle'));
  }, [say]);
  const invalid = token === '' || (look.error instanceof Refused && look.error.status < 500);
  return (
    <Flex component="main" vertical align="center" justify="center" className="login" gap="middle">
      <Card className="login-card">
        <Flex vertical gap="middle">
          <Flex align="center" gap="small">
            <img src={icon} alt="" width={32} height={32} />
            <Typography.Title level={1} style={{ fontSize: 20, margin: 0 }}>
              {say('takeTitle')}
            </Typography.Title>
          </Flex>
          {invalid && <Alert type="warning" showIcon title={say('invalid')} />}
          {!invalid && look.error && <Fault error={look.error} />}
          {!invalid && look.isPending && <Skeleton active />}
          {look.data && <TakeIt link={look.data} token={token} again={() => void look.refetch()} />}
        </Flex>
      </Card>
      <LanguageChooser brief={false} />
    </Flex>
  );
}

function TakeIt({ link, token, again }: { link: Link; token: string; again: () => void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const act = useMutation({
    mutationFn: () => answerOf(api.POST('/api/core/duty/link/take', { body: { token } })),
    onSettled: again,
  });
  const { takenBy, userName, state } = link;
  return (
    <>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {language === 'zh' ? link.titleZh : link.title}
      </Typography.Title>
      {takenBy !== null && (
        <Alert
          type={takenBy === userName ? 'success' : 'info'}
          showIcon
          title={takenBy === userName ? say('takenYou') : say('taken', { who: takenBy })}
        />
      )}
      {takenBy === null && state === 'judged' && <Alert type="info" showIcon title={say('over')} />}
      {act.error && !(act.error instanceof Refused && act.error.status === 409) && (
        <Fault error={act.error} />
      )}
      {takenBy === null && state !== 'judged' && (
        <>
          <Button type="primary" size="large" block loading={act.isPending} onClick={() => act.mutate()}>
            {say('take')}
          </Button>
          <span className="quiet">{say('takeAs', { who: userName })}</span>
        </>
      )}
      <a href={link.url}>{say('openIt')}</a>
    </>
  );
}
