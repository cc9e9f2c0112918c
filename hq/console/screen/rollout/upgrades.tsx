import { RocketOutlined } from '@ant-design/icons';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button, type TableColumnsType, Typography } from 'antd';
import { useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { Page } from '../../page/page.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { Releases } from '../release/list.tsx';
import { type Rollout, useRollouts } from './queries.ts';
import { StartRollout } from './start.tsx';
import { RolloutState, Share } from './state.tsx';
import { Target } from './target.tsx';
import { words } from './words.ts';

const Rollouts = defineList<Rollout>({
  keyOf: ({ id }) => id,
  useColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ id }) => void navigate({ to: '/upgrades/$id', params: { id } });
  },
});

/** Which version goes out to which sites, how far it is, and which versions there are. */
export function Upgrades() {
  const say = useWords(words);
  const navigate = useNavigate();
  const [starting, start] = useState(false);
  const list = useRollouts();
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        <Button type="primary" icon={<RocketOutlined />} onClick={() => start(true)}>
          {say('start')}
        </Button>
      }
    >
      <Typography.Title level={2} className="section">
        {say('list')}
      </Typography.Title>
      <Rollouts list={list} none={say('none')} />
      <Releases />
      <StartRollout
        open={starting}
        close={() => start(false)}
        started={({ id }) => void navigate({ to: '/upgrades/$id', params: { id } })}
      />
    </Page>
  );
}

function useColumns(): TableColumnsType<Rollout> {
  const say = useWords(words);
  return [
    {
      key: 'version',
      title: say('version'),
      render: (_, { id, version }) => (
        <Link to="/upgrades/$id" params={{ id }}>
          {version}
        </Link>
      ),
    },
    { key: 'target', title: say('target'), render: (_, rollout) => <Target of={rollout} /> },
    { key: 'state', title: say('state'), render: (_, { state }) => <RolloutState state={state} /> },
    { key: 'progress', title: say('progress'), render: (_, rollout) => <Share rollout={rollout} /> },
    {
      key: 'started',
      title: say('started'),
      render: (_, { startedAt, startedBy }) => (
        <div className="two-lines">
          <Time at={startedAt} ago />
          <span className="quiet name">{startedBy}</span>
        </div>
      ),
    },
  ];
}
