import { ArrowLeftOutlined } from '@ant-design/icons';
import { Link, useParams } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { FactTable } from '../../page/fact-table.tsx';
import { AsOf } from '../../page/fault.tsx';
import { Page } from '../../page/page.tsx';
import { Time, useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { Acts } from './acts.tsx';
import { type Rollout, useRollout } from './queries.ts';
import { RolloutSites } from './sites.tsx';
import { RolloutState, Share } from './state.tsx';
import { Target } from './target.tsx';
import { Waves } from './waves.tsx';
import { words } from './words.ts';

/** One rollout: how far each wave and each site is, and what a person can do about it. */
export function RolloutPage() {
  const say = useWords(words);
  const { id = '' } = useParams({ strict: false });
  const query = useRollout(id);
  const { data } = query;
  return (
    <Page
      title={data ? say('one', { version: data.version }) : say('title')}
      under={
        <Link to="/upgrades">
          <ArrowLeftOutlined /> {say('back')}
        </Link>
      }
      actions={data && <Acts rollout={data} />}
    >
      <AsOf query={query} />
      {query.isPending && <Skeleton active />}
      {data && (
        <>
          <Why rollout={data} />
          <Facts rollout={data} />
          <Waves rollout={data} />
          <RolloutSites rollout={data} />
        </>
      )}
    </Page>
  );
}

function Why({ rollout: { state, reason, reasonZh, changedBy } }: { rollout: Rollout }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (state !== 'paused') return null;
  const told = (language === 'zh' ? reasonZh : null) ?? reason;
  return (
    <Alert
      type="warning"
      showIcon
      title={changedBy === null ? say('why') : say('pausedBy', { who: changedBy })}
      {...(told === null ? {} : { description: told })}
    />
  );
}

function Facts({ rollout }: { rollout: Rollout }) {
  const say = useWords(words);
  const { hours, caution, startedAt, startedBy, changedAt, changedBy, state } = rollout;
  const items = [
    { key: 'state', label: say('state'), children: <RolloutState state={state} /> },
    { key: 'progress', label: say('progress'), children: <Share rollout={rollout} /> },
    { key: 'target', label: say('target'), children: <Target of={rollout} /> },
    {
      key: 'hours',
      label: say('hours'),
      children: hours.from === hours.until ? say('anyHour') : say('hoursOf', hours),
    },
    {
      key: 'started',
      label: say('started'),
      children: (
        <>
          <Time at={startedAt} /> <span className="quiet name">{startedBy}</span>
        </>
      ),
    },
    {
      key: 'changed',
      label: say('changed'),
      children: (
        <>
          <Time at={changedAt} /> <span className="quiet name">{changedBy ?? say('byItself')}</span>
        </>
      ),
    },
    { key: 'next', label: say('nextWave'), children: <NextWave rollout={rollout} /> },
    {
      key: 'caution',
      label: say('caution'),
      children: [
        say('cautionSettle', { settle: caution.settleMinutes }),
        say('cautionFail', { careful: caution.carefulWaves, fail: caution.failPercent }),
        say('cautionSilent', { silent: caution.silentMinutes }),
        say('cautionRest', { rest: caution.restPercent, hours: caution.restHours }),
      ].join(''),
    },
  ];
  return <FactTable items={items} />;
}

function NextWave({ rollout: { state, wave, waves, nextWaveAt } }: { rollout: Rollout }) {
  const say = useWords(words);
  const text = useTimeText();
  if (wave >= waves.length || state === 'done' || state === 'aborted') return say('lastWave');
  return nextWaveAt === null ? say('nextUnknown') : `${say('nextKnown')} ${text.full(nextWaveAt)}`;
}
