import { Link } from '@tanstack/react-router';
import { App, Button, Flex } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { NoAnswer } from '../api/fault.ts';
import { hubAnswers, reload } from '../app/reload.ts';
import { permissionWords } from '../screen/admin/permission-words.ts';
import type { Permission } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { Outcome } from './outcome.tsx';
import { nameTab } from './tab.ts';
import { words } from './words.ts';

/**
 * A screen: its heading, which is also the title of the tab, and what stands in it.
 * @param under one sentence below the heading
 * @param actions buttons for the whole screen
 */
export function Page({
  title,
  under,
  actions,
  children,
}: {
  title: string;
  under?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    nameTab(title);
  }, [title]);
  return (
    <Flex vertical gap="middle" className="page">
      <Flex justify="space-between" align="start" gap="small" wrap>
        <div>
          <h1 className="page-title">{title}</h1>
          {under && <span className="page-under">{under}</span>}
        </div>
        {actions && (
          <Flex gap="small" wrap>
            {actions}
          </Flex>
        )}
      </Flex>
      {children}
    </Flex>
  );
}

export function NotPermitted({ needs }: { needs: readonly Permission[] }) {
  const say = useWords(words);
  const tell = useWords(permissionWords);
  return (
    <Outcome
      kind="info"
      title={say('notPermitted')}
      under={say('needs', { permissions: needs.map((name) => tell(name)).join(' / ') })}
      actions={<ToStart />}
    />
  );
}

export function NotFound() {
  const say = useWords(words);
  return <Outcome kind="unknown" title={say('notFound')} actions={<ToStart />} />;
}

function ToStart() {
  const say = useWords(words);
  return (
    <Link to="/">
      <Button type="primary">{say('toStart')}</Button>
    </Link>
  );
}

/** Where a screen failed: the rest of the console goes on. @param reset draws it once more */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  const say = useWords(words);
  const { message } = App.useApp();
  if (error instanceof NoAnswer) return <Away />;
  const anew = async (): Promise<void> => {
    if (await hubAnswers()) reload();
    else message.warning(say('away'));
  };
  return (
    <Outcome
      kind="error"
      title={say('broken')}
      under={
        <>
          {say('brokenWhy')}
          <br />
          {error instanceof Error ? error.message : String(error)}
        </>
      }
      actions={
        <>
          <Button type="primary" onClick={reset}>
            {say('retry')}
          </Button>
          <Button onClick={() => void anew()}>{say('reload')}</Button>
        </>
      }
    />
  );
}

/** How often it is looked whether the hub is back, ms. */
const LOOK_MS = 5_000;

/** Opened while the hub is away, by the shell that the browser keeps: it begins by itself once it is back. */
function Away() {
  const say = useWords(words);
  useEffect(() => {
    const timer = setInterval(() => {
      void hubAnswers().then((answers) => {
        if (answers) reload();
      });
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Outcome kind="warning" title={say('away')} under={say('notLoadedWhy')} />;
}
