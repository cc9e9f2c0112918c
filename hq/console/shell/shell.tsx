import { MenuOutlined } from '@ant-design/icons';
import { Outlet, useMatches } from '@tanstack/react-router';
import { Button, Drawer, Flex, Grid, Layout } from 'antd';
import { useEffect, useState } from 'react';
import { loadAhead } from '../app/later.tsx';
import { KeyboardHelp } from '../keyboard/help.tsx';
import { useReachableScrollers } from '../list/scrollers.ts';
import { LoginAgain } from '../login/again.tsx';
import { NotPermitted } from '../page/page.tsx';
import { SessionProvider, useSession } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { AlarmCount } from './alarm-count.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { LanguageChooser, LookChooser, UserMenu, ZoneChooser } from './preferences.tsx';
import { SearchBox } from './search.tsx';
import { SiteZones } from './site-zones.tsx';
import { words } from './words.ts';

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
  const { lg: wide = false } = Grid.useBreakpoint();
  const [open, setOpen] = useState(false);
  useReachableScrollers('content');
  useEffect(() => loadAhead(), []);
  // After the login the focus would be on nothing.
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus();
  }, []);
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
              onClick={() => setOpen(true)}
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
          <UserMenu brief={!wide} />
        </Flex>
      </Layout.Header>
      <Layout>
        {wide && (
          <Layout.Sider width={WIDTH} className="sider">
            <Navigation />
          </Layout.Sider>
        )}
        <Layout.Content id="content" className="content" tabIndex={-1}>
          <Screen />
        </Layout.Content>
      </Layout>
      <Drawer
        open={open && !wide}
        onClose={() => setOpen(false)}
        placement="left"
        size={280}
        title="Fieldline"
      >
        <Navigation chosen={() => setOpen(false)} />
        <Flex className="drawer-foot">
          <LookChooser />
        </Flex>
      </Drawer>
      <KeyboardHelp />
    </Layout>
  );
}

/** The screen of the address, for who may see it. */
function Screen() {
  const { can } = useSession();
  const needs = useMatches().at(-1)?.staticData.needs ?? [];
  return needs.length === 0 || needs.some(can) ? <Outlet /> : <NotPermitted needs={needs} />;
}
