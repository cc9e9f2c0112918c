import { BellOutlined, MenuOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { Alert, Badge, Button, Flex, Layout, Tooltip } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useWide } from '../app/asked.ts';
import icon from '../app/icon.svg';
import { useKept } from '../app/kept.ts';
import { later, loadAhead } from '../app/later.tsx';
import { KeyboardHelp } from '../keyboard/help.tsx';
import { useReachableScrollers } from '../list/scrollers.ts';
import { LoginAgain } from '../login/again.tsx';
import { LinkButton } from '../page/link-button.tsx';
import { NotPermitted } from '../page/page.tsx';
import { useAlarmCount } from '../screen/alarm/queries.ts';
import { SessionProvider, useSession } from '../session/session.tsx';
import { TimeProvider, useTimeText } from '../time/time.tsx';
import { useWords } from '../word/language.tsx';
import { Navigation } from './navigation.tsx';
import { LanguageChooser, LookChooser, UserMenu, ZoneChooser } from './preferences.tsx';
import { SearchBox } from './search.tsx';
import { WaitingAlerts } from './waiting.tsx';
import { words } from './words.ts';

/** Loaded when it is opened, or ahead. */
const MenuDrawer = later(
  async () => (await import('./menu-drawer.tsx')).MenuDrawer,
  () => null,
);
const WIDTH = 208;

/** What stands around every screen: navigation, search, and how times, words and colours are shown. */
export function Shell() {
  return (
    <SessionProvider again={(former) => <LoginAgain former={former} />}>
      <SiteZones>
        <Frame />
      </SiteZones>
    </SessionProvider>
  );
}

function Frame() {
  const say = useWords(words);
  const wide = useWide('lg');
  const [open, setOpen] = useState(false);
  // Kept from then on, so that it is also seen to close.
  const [opened, setOpened] = useState(false);
  const { can } = useSession();
  const [sound, change] = useKept('sound', ['on', 'off'], 'on');
  useReachableScrollers('content');
  useEffect(() => loadAhead(), []);
  useEffect(keepFocus, []);
  return (
    <Layout className="shell">
      <a className="skip" href="#content">
        {say('skip')}
      </a>
      <Layout.Header className="header">
        <Flex align="center" gap={wide ? 'small' : 2}>
          {!wide && (
            <Button
              type="text"
              icon={<MenuOutlined />}
              aria-label={say('menu')}
              onClick={() => {
                setOpened(true);
                setOpen(true);
              }}
            />
          )}
          <Brand wide={wide} />
          <div className="search">
            <SearchBox />
          </div>
          <AlarmCount />
          <ZoneChooser brief={!wide} />
          <LanguageChooser brief={!wide} />
          {wide && <LookChooser />}
          <UserMenu brief={!wide} alerts={{ sound, change }} />
        </Flex>
      </Layout.Header>
      <Layout>
        {wide && (
          <Layout.Sider width={WIDTH} className="sider">
            <Navigation />
          </Layout.Sider>
        )}
        <Layout.Content id="content" className="content" tabIndex={-1}>
          <KeptNotice />
          <Screen />
        </Layout.Content>
      </Layout>
      {opened && <MenuDrawer open={open && !wide} close={() => setOpen(false)} />}
      <KeyboardHelp />
      {can('events.view') && <WaitingAlerts sound={sound === 'on'} />}
    </Layout>
  );
}

/**
 * After the login, and when a dialog is gone together with what had opened it, the focus would be on nothing:
 * a screen reader would begin at the top of the page, and so would Tab. @returns what ends that
 */
function keepFocus(): () => void {
  const look = (): void => {
    if (document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  };
  look();
  // Dialogs, drawers and menus stand beside the page, and go from there.
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

/** Without a link: as of when the rows are, and that they are only to be looked at. */
function KeptNotice() {
  const say = useWords(words);
  const { identity } = useSession();
  const text = useTimeText();
  if (identity.keptAt === undefined) return null;
  return (
    <Alert
      type="warning"
      showIcon
      className="kept-notice"
      title={say('noLink', { at: text.full(identity.keptAt) })}
      description={say('noLinkWhy')}
      action={
        <Flex vertical gap={4}>
          <LinkButton to="/review">{say('review')}</LinkButton>
          <LinkButton to="/events">{say('events')}</LinkButton>
        </Flex>
      }
    />
  );
}

/** The screen of the address, for who may see it. */
function Screen() {
  const { can } = useSession();
  const needs = useMatches().at(-1)?.staticData.needs ?? [];
  return needs.length === 0 || needs.some(can) ? <Outlet /> : <NotPermitted needs={needs} />;
}

/** @param wide with the name beside the sign */
function Brand({ wide }: { wide: boolean }) {
  return (
    <Link to="/" className="brand" aria-label="Fieldline">
      <img src={icon} alt="" width={28} height={28} />
      {wide && <strong>Fieldline</strong>}
    </Link>
  );
}

/** How many alarms stand, for who may see them; leads to them. */
function AlarmCount() {
  const say = useWords(words);
  const { data } = useAlarmCount();
  if (!data) return null;
  const { total: count, critical } = data;
  return (
    <Tooltip title={say('alarms', { count })}>
      <Badge
        count={count}
        overflowCount={999}
        // On the bell, not above the head of the page.
        offset={[-6, 6]}
        className={critical > 0 ? 'count-urgent' : 'count'}
        size="small"
      >
        <LinkButton
          variant="text"
          color="default"
          icon={<BellOutlined />}
          aria-label={say('alarms', { count })}
          to="/admin"
          search={{ tab: 'alarms' }}
        />
      </Badge>
    </Tooltip>
  );
}

/** A site hardly ever moves to another zone, ms. */
const FRESH_MS = 300_000;

/** Knows the zone of every site that the user sees events of. */
function SiteZones({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const { data: zones } = useQuery({
    queryKey: ['zones'],
    queryFn: async () => {
      const { items } = await answerOf(api.GET('/api/core/uplink/zones'));
      return new Map(items.map(({ instance, zone }) => [instance, zone] as const));
    },
    enabled: can('events.view'),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  return <TimeProvider sites={zones ?? NONE}>{children}</TimeProvider>;
}

const NONE: ReadonlyMap<string, string> = new Map();
