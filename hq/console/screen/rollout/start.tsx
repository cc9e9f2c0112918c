import { Flex, Form, Input, InputNumber, Radio, Select } from 'antd';
import { useDeferredValue, useMemo } from 'react';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { useReleases } from '../release/queries.ts';
import { useSiteOffers } from '../site/choice.tsx';
import { useSiteGroups } from '../site/group-choice.tsx';
import { Preview } from './preview.tsx';
import { type NewRollout, type PreviewRequest, type Rollout, ROLLOUTS, startRollout } from './queries.ts';
import { words } from './words.ts';

interface Draft {
  version: string;
  which: 'all' | 'group' | 'named';
  group?: string;
  sites?: string[];
  shares: string;
  from: number;
  until: number;
}

const USUAL = { which: 'all', shares: '1, 5%, 25%, 100%', from: 1, until: 5 } as const;

/** A version for all sites, a group or some, in waves; what it comes to stands below before it is begun. */
export function StartRollout({
  open,
  close,
  started,
}: {
  open: boolean;
  close: () => void;
  started: (rollout: Rollout) => void;
}) {
  const say = useWords(words);
  const act = useAct({
    act: (draft: Draft) => startRollout(bodyOf(draft)),
    changes: [ROLLOUTS],
    quiet: true,
    done: () => say('startedDone'),
    then: (rollout) => {
      close();
      started(rollout);
    },
  });
  return (
    <FormDialog<Draft>
      open={open}
      title={say('start')}
      ok={say('startOk')}
      initial={USUAL}
      act={act}
      close={close}
    >
      <Fields />
    </FormDialog>
  );
}

function Fields() {
  const say = useWords(words);
  const { data: releases = [] } = useReleases();
  const needed = { required: true, message: say('needed') };
  const ready = releases.filter(({ complete }) => complete);
  return (
    <>
      <Form.Item name="version" label={say('version')} rules={[needed]}>
        <Select
          options={ready.map(({ version }) => ({ value: version, label: version }))}
          notFoundContent={say('noRelease')}
        />
      </Form.Item>
      <Which />
      <Form.Item name="shares" label={say('shares')} extra={say('sharesHint')} rules={[needed]}>
        <Input maxLength={200} />
      </Form.Item>
      <Flex gap="middle" wrap>
        <Form.Item name="from" label={say('from')} rules={[needed]}>
          <InputNumber min={0} max={23} precision={0} />
        </Form.Item>
        <Form.Item name="until" label={say('until')} rules={[needed]} extra={say('hoursHint')}>
          <InputNumber min={0} max={23} precision={0} />
        </Form.Item>
      </Flex>
      <WhatItComesTo />
    </>
  );
}

function Which() {
  const say = useWords(words);
  const groups = useSiteGroups(undefined);
  const sites = useSiteOffers();
  const which: Draft['which'] | undefined = Form.useWatch('which');
  const needed = { required: true, message: say('needed') };
  const ways = { all: say('whichAll'), group: say('whichGroup'), named: say('whichNamed') };
  return (
    <>
      <Form.Item name="which" label={say('which')}>
        <Radio.Group options={Object.entries(ways).map(([value, label]) => ({ value, label }))} />
      </Form.Item>
      {which === 'group' && (
        <Form.Item name="group" label={say('group')} rules={[needed]}>
          <Select options={groups.map(({ name, sites: n }) => ({ value: name, label: `${name} (${n})` }))} />
        </Form.Item>
      )}
      {which === 'named' && (
        <Form.Item name="sites" label={say('sites')} rules={[needed]}>
          <Select
            mode="multiple"
            optionFilterProp="label"
            options={sites.map(({ value, label }) => ({
              value,
              label: label === value ? value : `${label} · ${value}`,
            }))}
          />
        </Form.Item>
      )}
    </>
  );
}

function WhatItComesTo() {
  const form = Form.useFormInstance<Draft>();
  const draft: Draft | undefined = Form.useWatch((values: Draft) => values, form);
  const written = useDeferredValue(JSON.stringify(draft ?? {}));
  const asked = useMemo(() => previewOf(JSON.parse(written) as Partial<Draft>), [written]);
  return <Preview asked={asked} />;
}

const wavesOf = (shares: string): string[] =>
  shares
    .split(/[,，;；\s]+/)
    .map((one) => one.replace('％', '%'))
    .filter((one) => one !== '');

const targetOf = ({ which, group, sites }: Partial<Draft>) =>
  which === 'group' ? { group } : which === 'named' ? { sites } : { all: true as const };

/** null: not enough is said yet. */
function previewOf(draft: Partial<Draft>): PreviewRequest | null {
  const { version, shares = '' } = draft;
  const target = targetOf(draft);
  if (version === undefined || Object.values(target).some((one) => one === undefined)) return null;
  if (Array.isArray(target.sites) && target.sites.length === 0) return null;
  return { version, waves: wavesOf(shares), ...target } as PreviewRequest;
}

const bodyOf = (draft: Draft): NewRollout =>
  ({
    version: draft.version,
    waves: wavesOf(draft.shares),
    hours: { from: draft.from, until: draft.until },
    ...targetOf(draft),
  }) as NewRollout;
