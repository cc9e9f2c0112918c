import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex, type TableColumnsType, Typography } from 'antd';
import { useState } from 'react';
import { defineList, whole } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes } from '../../word/number.ts';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { AddRelease } from './add.tsx';
import { type Release, RELEASES, removeRelease, useReleases } from './queries.ts';
import { words } from './words.ts';

const List = defineList<Release, (release: Release) => void>({
  keyOf: ({ version }) => version,
  useColumns,
});

/** Versions of the site that are here, with who signed them; uploaded and removed. */
export function Releases() {
  const say = useWords(words);
  const query = useReleases();
  const [adding, add] = useState(false);
  const [removing, remove] = useState<Release | null>(null);
  const act = useAct({
    act: () => removeRelease(removing?.version ?? ''),
    changes: [RELEASES],
    quiet: true,
    done: () => say('removed'),
    then: () => remove(null),
  });
  return (
    <>
      <Flex gap="small" justify="space-between" align="center" wrap>
        <Typography.Title level={2} className="section">
          {say('title')}
        </Typography.Title>
        <Button icon={<PlusOutlined />} onClick={() => add(true)}>
          {say('add')}
        </Button>
      </Flex>
      <List list={whole(query, query.data)} acts={remove} none={say('none')} />
      <AddRelease open={adding} close={() => add(false)} />
      <WarnedDialog
        open={removing !== null}
        title={say('removeTitle', { version: removing?.version ?? '' })}
        ok={say('remove')}
        why={say('removeWhy')}
        act={act}
        close={() => remove(null)}
      />
    </>
  );
}

function useColumns(remove: (release: Release) => void): TableColumnsType<Release> {
  const say = useWords(words);
  return [
    { key: 'version', title: say('version'), render: (_, { version }) => <strong>{version}</strong> },
    { key: 'packages', title: say('packages'), render: (_, release) => <Packages release={release} /> },
    {
      key: 'signed',
      title: say('signed'),
      render: (_, { key, checkedWith }) => (
        <div className="said span">
          {checkedWith === null ? say('unchecked', { key }) : say('checked', { key: checkedWith })}
        </div>
      ),
    },
    {
      key: 'added',
      title: say('added'),
      render: (_, { addedAt, addedBy }) => (
        <div className="two-lines">
          <Time at={addedAt} />
          <span className="quiet name">{addedBy}</span>
        </div>
      ),
    },
    {
      key: 'actions',
      title: say('actions'),
      render: (_, release) =>
        release.inUse ? (
          <span className="quiet">{say('inUse')}</span>
        ) : (
          <Button size="small" danger onClick={() => remove(release)}>
            {say('remove')}
          </Button>
        ),
    },
  ];
}

function Packages({ release: { packages } }: { release: Release }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return packages.map(({ architecture, size, storedAt }) => (
    <div key={architecture} className="span">
      {storedAt === null ? (
        <Typography.Text type="warning">{say('missing', { architecture })}</Typography.Text>
      ) : (
        `${architecture} · ${bytes(size, language)}`
      )}
    </div>
  ));
}
