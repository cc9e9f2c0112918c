import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex, type TableColumnsType } from 'antd';
import { useState } from 'react';
import { defineList, whole } from '../../list/define.tsx';
import { filters, text, useFilters } from '../../list/filter.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { EnabledTag } from '../integration/status.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { ChannelActions } from './actions.tsx';
import { CreateChannel, EditChannel } from './form.tsx';
import { type Channel, useChannels } from './queries.ts';
import { words } from './words.ts';

const channelFilters = filters({ tenant: text });

const Channels = defineList<Channel, (channel: Channel) => void>({ keyOf: ({ id }) => id, useColumns });

/** By what ways are people told? Shown to who may change it alone: the API has no other view. */
export function ChannelList() {
  const say = useWords(words);
  const { filters, change, clear } = useFilters(channelFilters);
  const channels = useChannels(filters.tenant);
  const [creating, setCreating] = useState(false);
  const [editing, edit] = useState<Channel | null>(null);
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" wrap justify="space-between">
        <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
          {say('create')}
        </Button>
      </Flex>
      <Channels list={whole(channels, channels.data)} acts={edit} none={say('none')} clear={clear} />
      <CreateChannel open={creating} close={() => setCreating(false)} />
      <EditChannel channel={editing} close={() => edit(null)} />
    </Flex>
  );
}

function useColumns(edit: (channel: Channel) => void): TableColumnsType<Channel> {
  const say = useWords(words);
  return [
    {
      key: 'name',
      title: say('name'),
      render: (_, { name, tenantCode }) => (
        <Flex vertical className="name-cell">
          <strong className="breaks">{name}</strong>
          <bdi className="quiet breaks">{tenantCode ?? say('ofOperators')}</bdi>
        </Flex>
      ),
    },
    { key: 'format', title: say('format'), render: (_, { format }) => say(format) },
    {
      key: 'to',
      title: say('to'),
      render: (_, { channel, format, urlHost, recipientCount, signed }) => (
        <Flex vertical className="name-cell">
          <bdi className="breaks">{urlHost}</bdi>
          <span className="quiet">
            {channel === 'sms' || format === 'email'
              ? say(format === 'email' ? 'addresses' : 'recipients', { count: recipientCount })
              : say(signed ? 'signed' : 'notSigned')}
          </span>
        </Flex>
      ),
    },
    {
      key: 'alarms',
      title: say('alarms'),
      render: (_, { alarms }) => <Taking alarms={alarms} />,
    },
    {
      key: 'state',
      title: say('state'),
      render: (_, { enabled }) => <EnabledTag status={enabled ? 'enabled' : 'disabled'} />,
    },
    { key: 'changed', title: say('changed'), render: (_, { updatedAt }) => <Time at={updatedAt} /> },
    { key: 'actions', render: (_, channel) => <ChannelActions channel={channel} edit={edit} /> },
  ];
}

function Taking({ alarms }: Pick<Channel, 'alarms'>) {
  const say = useWords(words);
  if (alarms === null) return say('alarmsNone');
  const { from, repeatMinutes: minutes, quiet } = alarms;
  return (
    <Flex vertical className="name-cell">
      <span>{say(from === 'critical' ? 'alarmsCritical' : 'alarmsAll')}</span>
      <span className="quiet">{minutes === 0 ? say('once') : say('repeatShown', { minutes })}</span>
      {quiet && <span className="quiet">{say('quietShown', quiet)}</span>}
    </Flex>
  );
}
