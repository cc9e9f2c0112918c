import { Flex, type TableColumnsType, Tag } from 'antd';
import { defineList, whole } from '../../list/define.tsx';
import { AsOf } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { permissionWords } from '../admin/permission-words.ts';
import { useEveryUser, type User } from '../admin/queries.ts';
import { type PermissionRow, usePermissions } from './queries.ts';
import { words } from './words.ts';

/** Names that are shown of those who hold a permission. */
const NAMES = 6;

const Permissions = defineList<PermissionRow, readonly User[]>({ keyOf: ({ name }) => name, useColumns });

/** What does each permission let one do, and who holds it? */
export function PermissionList() {
  const say = useWords(words);
  const permissions = usePermissions();
  const users = useEveryUser();
  const standing = (users.data?.items ?? []).filter(({ disabledAt }) => disabledAt === null);
  const list = whole(permissions, permissions.data);
  return (
    <Flex vertical gap="middle">
      <AsOf query={users} />
      <span className="quiet">{say('rule')}</span>
      <Permissions list={{ ...list, paged: false }} acts={standing} none={say('none')} />
    </Flex>
  );
}

function useColumns(users: readonly User[]): TableColumnsType<PermissionRow> {
  const say = useWords(words);
  const tell = useWords(permissionWords);
  return [
    {
      key: 'name',
      title: say('permission'),
      render: (_, { name }) => (
        <Flex vertical>
          {tell(name)}
          <code className="quiet">{name}</code>
        </Flex>
      ),
    },
    {
      key: 'customers',
      title: say('forCustomers'),
      render: (_, { customers }) => (
        <Tag {...(customers === 'standard' ? { color: 'success' } : {})}>{say(customers)}</Tag>
      ),
    },
    {
      key: 'held',
      title: say('heldBy'),
      render: (_, { name }) => <Holders users={users.filter((one) => one.permissions.includes(name))} />,
    },
  ];
}

function Holders({ users }: { users: readonly User[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const operators = users.filter(({ role }) => role === 'operator').length;
  if (users.length === 0) return <span className="quiet">{say('nobody')}</span>;
  const left = users.length - NAMES;
  return (
    <Flex vertical className="said">
      <span>{say('holders', { operators, customers: users.length - operators })}</span>
      <span className="quiet">
        {users
          .slice(0, NAMES)
          .map(({ name }) => name)
          .join(language === 'zh' ? '、' : ', ')}
        {left > 0 && (language === 'zh' ? '，' : ' ') + say('others', { count: left })}
      </span>
    </Flex>
  );
}
