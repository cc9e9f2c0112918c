import { AppstoreOutlined } from '@ant-design/icons';
import { Link, useLocation } from '@tanstack/react-router';
import { Menu, type MenuProps } from 'antd';
import { useSession } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { type MenuEntry, menuFor } from './menu.tsx';
import { words } from './words.ts';

type Item = NonNullable<MenuProps['items']>[number];

/** @param chosen after an entry was chosen: a drawer closes */
export function Navigation({ chosen }: { chosen?: () => void }) {
  const say = useWords(words);
  const { can } = useSession();
  const { pathname } = useLocation();
  const entries = menuFor(can);
  const itemOf = ({ to, word, icon }: MenuEntry): Item => ({
    key: to,
    icon,
    label: <Link to={to}>{say(word)}</Link>,
  });
  const work = entries.filter(({ under }) => under === 'work');
  const items = entries.flatMap((entry): Item[] => {
    if (entry.under !== 'work') return [itemOf(entry)];
    if (entry !== work[0]) return [];
    return [{ key: 'work', icon: <AppstoreOutlined />, label: say('work'), children: work.map(itemOf) }];
  });
  const here = entries.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <nav aria-label={say('menu')}>
      <Menu
        mode="inline"
        items={items}
        selectedKeys={here ? [here.to] : []}
        defaultOpenKeys={['work']}
        onClick={() => chosen?.()}
        style={{ border: 0 }}
      />
    </nav>
  );
}
