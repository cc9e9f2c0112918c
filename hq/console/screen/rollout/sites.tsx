import { Link, useNavigate } from '@tanstack/react-router';
import { Checkbox, Flex, type TableColumnsType, Typography } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { Typed } from '../../list/typed.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes, number } from '../../word/number.ts';
import { rolloutSiteFilters, steps } from './filters.ts';
import { type Rollout, type RolloutSite, useRolloutSites } from './queries.ts';
import { StepTag, useStepText } from './state.tsx';
import { words } from './words.ts';

const Sites = defineList<RolloutSite>({
  keyOf: ({ instance }) => instance,
  useColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ instance }) => void navigate({ to: '/sites/$instance', params: { instance } });
  },
});

/** Each site of a rollout: its step, and why it came to no more. */
export function RolloutSites({ rollout: { id, waves } }: { rollout: Rollout }) {
  const say = useWords(words);
  const text = useStepText();
  const { filters, change, clear } = useFilters(rolloutSiteFilters);
  const list = useRolloutSites(id, filters);
  return (
    <>
      <Typography.Title level={2} className="section">
        {say('sites')}
      </Typography.Title>
      <Flex gap="small" wrap align="center">
        <Typed label={say('find')} value={filters.q} change={(q) => change({ q })} />
        <Choice
          label={say('wave')}
          value={filters.wave === undefined ? undefined : String(filters.wave)}
          options={waves.map(({ no }) => ({ value: String(no), label: `${say('wave')} ${no}` }))}
          change={(wave) => change({ wave: wave === undefined ? undefined : Number(wave) })}
        />
        <Choice
          label={say('step')}
          value={filters.step}
          options={steps.map((value) => ({ value, label: text(value) }))}
          change={(step) => change({ step })}
        />
        <Checkbox
          checked={filters.failed !== undefined}
          onChange={({ target }) => change({ failed: target.checked ? 'yes' : undefined })}
        >
          {say('onlyFailed')}
        </Checkbox>
      </Flex>
      <Sites list={list} none={say('noSites')} {...(clear ? { clear } : {})} />
    </>
  );
}

function useColumns(): TableColumnsType<RolloutSite> {
  const say = useWords(words);
  const { language } = useLanguage();
  return [
    {
      key: 'site',
      title: say('site'),
      render: (_, { instance, displayName }) => (
        <Link to="/sites/$instance" params={{ instance }} title={instance}>
          <bdi>{displayName ?? instance}</bdi>
        </Link>
      ),
    },
    { key: 'wave', title: say('wave'), align: 'end', render: (_, { wave }) => number(wave, language) },
    { key: 'step', title: say('step'), render: (_, site) => <Reached site={site} /> },
    { key: 'runs', title: say('runs'), render: (_, { runs }) => runs ?? '–' },
    {
      key: 'since',
      title: say('since'),
      render: (_, { at, instance }) => <Time at={at} site={instance} ago />,
    },
    {
      key: 'heard',
      title: say('heard'),
      render: (_, { lastSeenAt, instance }) =>
        lastSeenAt === null ? (
          <span className="quiet">{say('never')}</span>
        ) : (
          <Time at={lastSeenAt} site={instance} ago />
        ),
    },
  ];
}

function Reached({ site }: { site: RolloutSite }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { step, fetched, size, reason, reasonZh, excused } = site;
  const why = (language === 'zh' ? reasonZh : null) ?? reason;
  return (
    <div className="said">
      <StepTag step={step} />
      {step === 'fetching' && fetched !== null && size !== null && (
        <div className="quiet">
          {say('fetchedPart', { part: bytes(fetched, language), all: bytes(size, language) })}
        </div>
      )}
      {why !== null && <div>{why}</div>}
      {excused && <div className="quiet">{say('excused')}</div>}
    </div>
  );
}
