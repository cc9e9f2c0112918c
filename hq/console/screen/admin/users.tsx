import { Button, Flex, Input, Popconfirm, type TableColumnsType, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { adminFilters } from './filters.ts';
import { permissionWords } from './permission-words.ts';
import { type User, useUsers } from './queries.ts';
import { UserPassword, UserPermissions, useUserChange } from './user-change.tsx';
import { UserForm } from './user-form.tsx';
import { UserMore } from './user-more.tsx';
import { words } from './words.ts';

type Open = { what: 'new' } | { what: 'permissions' | 'password'; user: User };

const UserList = defineList<User, (open: Open) => void>({ keyOf: ({ name }) => name, useColumns });

/** Who may log in? By name. */
export function Users() {
  const say = useWords(words);
  const { filters, change, clearOf } = useFilters(adminFilters);
  const [open, show] = useState<Open | null>(null);
  const close = (): void => show(null);
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" wrap align="center">
        <Input.Search
          key={filters.q}
          className="filter-text"
          placeholder={say('find')}
          aria-label={say('find')}
          defaultValue={filters.q}
          maxLength={128}
          allowClear
          onSearch={(q) => change({ q: q.trim() === '' ? undefined : q.trim() })}
        />
        <Button type="primary" onClick={() => show({ what: 'new' })}>
          {say('addUser')}
        </Button>
      </Flex>
      <UserList list={useUsers(filters.q)} acts={show} none={say('noUsers')} clear={clearOf('q')} />
      {open?.what === 'new' && <UserForm close={close} />}
      {open?.what === 'permissions' && <UserPermissions user={open.user} close={close} />}
      {open?.what === 'password' && <UserPassword user={open.user} close={close} />}
    </Flex>
  );
}

function useColumns(show: (open: Open) => void): TableColumnsType<User> {
  const say = useWords(words);
  return [
    {
      key: 'name',
      title: say('user'),
      render: (_, { name, secondFactorSince, emergency, ofProvider }) => (
        <Flex gap="small">
          <strong className="name">{name}</strong>
          {secondFactorSince !== null && (
            <Tooltip title={say('secondFactorSince')}>
              <Tag>{say('secondFactor')}</Tag>
            </Tooltip>
          )}
          {ofProvider && <Tag>{say('ofProvider')}</Tag>}
          {emergency && <Tag color="warning">{say('emergency')}</Tag>}
        </Flex>
      ),
    },
    { key: 'role', title: say('role'), render: (_, { role }) => say(role) },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
    { key: 'permissions', title: say('permissions'), render: (_, user) => <Powers user={user} /> },
    {
      key: 'state',
      title: say('state'),
      render: (_, { disabledAt }) =>
        disabledAt === null ? (
          <Tag color="success">{say('enabled')}</Tag>
        ) : (
          <Tooltip title={<Time at={disabledAt} />}>
            <Tag>{say('disabled')}</Tag>
          </Tooltip>
        ),
    },
    {
      key: 'seen',
      title: say('lastSeen'),
      render: (_, { lastSeenAt }) =>
        lastSeenAt === null ? (
          <span className="quiet">{say('neverSeen')}</span>
        ) : (
          <Time at={lastSeenAt} ago />
        ),
    },
    { key: 'created', title: say('created'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    { key: 'actions', title: say('actions'), render: (_, user) => <Actions user={user} show={show} /> },
  ];
}

function Powers({ user: { limited, permissions } }: { user: User }) {
  const say = useWords(words);
  const tell = useWords(permissionWords);
  return (
    <Tooltip title={permissions.map((name) => tell(name)).join(' · ')}>
      {limited ? say('limited', { count: permissions.length }) : say('asRole')}
    </Tooltip>
  );
}

/** Nobody changes who holds more than oneself; nor disables oneself. */
function Actions({ user, show }: { user: User; show: (open: Open) => void }) {
  const say = useWords(words);
  const { identity, can } = useSession();
  const { run, pending } = useUserChange();
  const { name, disabledAt, ofProvider } = user;
  if (!user.permissions.every(can)) return null;
  const set = (disabled: boolean) => () => run({ name, body: { disabled } });
  return (
    <Flex gap={4}>
      <Button size="small" onClick={() => show({ what: 'permissions', user })}>
        {say('change')}
      </Button>
      {!ofProvider && (
        <Button size="small" onClick={() => show({ what: 'password', user })}>
          {say('setPassword')}
        </Button>
      )}
      {disabledAt !== null && (
        <Button size="small" loading={pending} onClick={set(false)}>
          {say('enable')}
        </Button>
      )}
      {disabledAt === null && name !== identity.name && (
        <Popconfirm
          title={say('disableSure', { name })}
          description={say('endsSessions')}
          okText={say('disable')}
          cancelText={say('cancel')}
          onConfirm={set(true)}
        >
          <Button size="small" danger loading={pending}>
            {say('disable')}
          </Button>
        </Popconfirm>
      )}
      <UserMore user={user} />
    </Flex>
  );
}
