import { Card, Collapse, Flex, Skeleton } from 'antd';
import { AsOf } from '../../page/fault.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { DifferenceText } from './difference.tsx';
import { type Knowledge, type Revision, useHistory } from './queries.ts';
import { words } from './words.ts';

/** As many versions as the hub tells. */
const MOST = 200;

/** Who changed what, and when. */
export function History({ object }: { object: Knowledge }) {
  const say = useWords(words);
  const { coreId, tenantCode, version } = object;
  const query = useHistory({ id: coreId, tenant: tenantCode }, version);
  const revisions = query.data ?? [];
  return (
    <Card size="small" title={say('history')}>
      <AsOf query={query} />
      {query.isPending && <Skeleton active />}
      {revisions.length > 0 && (
        <Collapse
          ghost
          size="small"
          items={revisions.map((one, at) => ({
            key: one.version,
            label: <Line revision={one} />,
            showArrow: one.changedSections.length > 0,
            ...(one.changedSections.length === 0 ? { collapsible: 'disabled' as const } : {}),
            children: <Changes revision={one} before={revisions[at + 1]} />,
          }))}
        />
      )}
      {revisions.length >= MOST && <span className="quiet">{say('mostVersions', { count: MOST })}</span>}
    </Card>
  );
}

function Line({ revision: { version, by, at, note, changedSections } }: { revision: Revision }) {
  const say = useWords(words);
  return (
    <div className="wrap">
      <Flex gap="small" wrap>
        <strong>{say('nth', { version })}</strong>
        <bdi>{by}</bdi>
        <Time at={at} />
      </Flex>
      <div className="quiet">
        {changedSections.length === 0
          ? say('first')
          : say('changed', { sections: changedSections.join(', ') })}
      </div>
      {note !== null && <bdi>{note}</bdi>}
    </div>
  );
}

/** @param before the version before, when it is among those that the hub tells */
function Changes({ revision, before }: { revision: Revision; before: Revision | undefined }) {
  return revision.changedSections.map((name) => (
    <div key={name}>
      <bdi className="quiet">{name}</bdi>
      <DifferenceText
        before={before?.body.sections[name]?.text ?? ''}
        after={revision.body.sections[name]?.text ?? ''}
      />
    </div>
  ));
}
