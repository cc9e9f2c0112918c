import { Button, Flex, Select } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client.ts';
import { useAct } from '../../../page/act.ts';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { WarnedDialog } from '../../integration/warned-dialog.tsx';
import type { SiteDetail } from '../queries.ts';
import { careKey, type Line } from './queries.ts';
import { words } from './words.ts';

interface Wanted {
  what: Line['what'];
  device?: string;
}

const OF_SITE = ['check', 'status', 'log', 'bundle'] as const;
const OF_DEVICE = ['picture', 'try'] as const;

/** What can be asked of the site, and of one of its devices. */
export function Ask({ detail: { site, cameras }, off }: { detail: SiteDetail; off: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [device, setDevice] = useState<string | null>(null);
  const [restarting, setRestarting] = useState(false);
  const { instance } = site;
  const act = useAct({
    act: (wanted: Wanted) =>
      answerOf(
        api.POST('/api/core/sites/{instance}/requests', {
          params: { path: { instance } },
          body: { ...wanted, language },
        }),
      ),
    changes: [careKey(instance)],
    done: () => say('asked'),
    then: () => setRestarting(false),
  });
  const devices = cameras?.filter(({ kind }) => kind !== null) ?? [];
  return (
    <Flex gap="small" wrap align="center">
      {OF_SITE.map((what) => (
        <Button key={what} disabled={off || act.pending} onClick={() => act.run({ what })}>
          {say(what)}
        </Button>
      ))}
      {devices.length > 0 && (
        <Flex gap="small" wrap align="center">
          <Select
            aria-label={say('device')}
            placeholder={say('device')}
            className="device-choice"
            style={{ minWidth: '12rem' }}
            value={device}
            onChange={setDevice}
            options={devices.map(({ keyId, name }) => ({ value: keyId, label: name }))}
          />
          {OF_DEVICE.map((what) => (
            <Button
              key={what}
              disabled={off || act.pending || device === null}
              onClick={() => device !== null && act.run({ what, device })}
            >
              {say(what)}
            </Button>
          ))}
        </Flex>
      )}
      <Button danger disabled={off} onClick={() => setRestarting(true)}>
        {say('restart')}
      </Button>
      <WarnedDialog
        open={restarting}
        title={say('restartTitle', { site: site.displayName ?? instance })}
        ok={say('restart')}
        why={say('restartWhy')}
        act={{ ...act, run: () => act.run({ what: 'restart' }) }}
        close={() => setRestarting(false)}
      />
    </Flex>
  );
}
