import { LeftOutlined } from '@ant-design/icons';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { Alert, Button, Card, Col, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { AsOf } from '../../page/fault.tsx';
import { useIdParam } from '../../page/id-param.ts';
import { NotFound, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { ConfirmDialog, SplitDialog, UnmergeDialog } from './decide.tsx';
import { Facts } from './facts.tsx';
import { nameOf } from './labels.tsx';
import { Members } from './members.tsx';
import { type IncidentDetail as Detail, type Member, sizeOf, useIncident } from './queries.ts';
import { words } from './words.ts';

/** One group, and the events that are one matter by it. */
export function IncidentDetail() {
  const say = useWords(words);
  const id = useIdParam();
  const query = useIncident(id ?? 0, id !== null);
  if (id === null) return <NotFound />;
  const [first] = query.data?.pages ?? [];
  if (!first)
    return (
      <Page title={say('number', { id })}>
        {query.isPending ? <Skeleton active /> : <AsOf query={query} />}
      </Page>
    );
  return (
    <Loaded
      key={id}
      group={first}
      members={query.data?.pages.flatMap(({ members }) => members) ?? []}
      query={query}
    />
  );
}

/** What is decided, on what was shown when its dialog opened: what comes meanwhile does not change it. */
type Deciding =
  | { what: 'confirm'; group: Detail }
  | { what: 'split'; group: Detail; leaving: readonly Member[]; staying: readonly Member[] }
  | { what: 'unmerge'; group: Detail; from: number };

function Loaded({
  group,
  members,
  query,
}: {
  group: Detail;
  members: Member[];
  query: ReturnType<typeof useIncident>;
}) {
  const say = useWords(words);
  const { can } = useSession();
  const [ids, choose] = useState<number[]>([]);
  const [deciding, decide] = useState<Deciding | null>(null);
  const leaving = members.filter(({ eventId }) => ids.includes(eventId));
  const decides = can('incidents.manage') && group.instance === null;
  const splits = decides && group.state !== 'closed' && sizeOf(group) > 1;
  const close = (): void => {
    decide(null);
    choose([]);
  };
  return (
    <Page
      title={nameOf(group)}
      under={say('number', { id: group.id })}
      actions={<Actions group={group} decides={decides} decide={decide} />}
    >
      <AsOf query={query} />
      <Notices group={group} />
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={8}>
          <Facts group={group} />
        </Col>
        <Col xs={24} xl={16}>
          <Card
            size="small"
            title={say(group.state === 'closed' ? 'formerMembers' : 'memberList')}
            extra={
              splits && (
                <Button
                  size="small"
                  disabled={leaving.length === 0 || leaving.length >= sizeOf(group)}
                  onClick={() => {
                    const staying = members.filter((one) => !leaving.includes(one));
                    decide({ what: 'split', group, leaving, staying });
                  }}
                >
                  {leaving.length === 0 ? say('splitChosen') : say('splitOff', { count: leaving.length })}
                </Button>
              )
            }
          >
            <Members
              members={members}
              query={query}
              chosen={ids}
              choose={splits ? choose : undefined}
              site={group.instance}
              tenant={group.tenantCode}
            />
          </Card>
        </Col>
      </Row>
      {deciding && <Dialog deciding={deciding} close={close} />}
    </Page>
  );
}

function Dialog({ deciding, close }: { deciding: Deciding; close: () => void }) {
  switch (deciding.what) {
    case 'confirm':
      return <ConfirmDialog group={deciding.group} close={close} />;
    case 'split':
      return <SplitDialog {...deciding} close={close} />;
    case 'unmerge':
      return <UnmergeDialog group={deciding.group} from={deciding.from} close={close} />;
  }
}

function Actions({
  group,
  decides,
  decide,
}: {
  group: Detail;
  decides: boolean;
  decide: (what: Deciding) => void;
}) {
  const { state, mergedInto, wentTo } = group;
  const say = useWords(words);
  const navigate = useNavigate();
  const { history } = useRouter();
  const back = (): void => {
    if (history.canGoBack()) history.back();
    else void navigate({ to: '/incidents' });
  };
  useKeys({ Escape: back });
  return (
    <>
      <Button icon={<LeftOutlined />} onClick={back}>
        {say('back')}
      </Button>
      {decides && (state === 'auto' || state === 'split') && (
        <Button type="primary" onClick={() => decide({ what: 'confirm', group })}>
          {say('confirm')}
        </Button>
      )}
      {decides && state === 'closed' && mergedInto !== null && (
        <Button type="primary" onClick={() => decide({ what: 'unmerge', group, from: wentTo ?? mergedInto })}>
          {say('unmerge')}
        </Button>
      )}
    </>
  );
}

function Notices({ group: { instance, wentTo, mergedInto } }: { group: Detail }) {
  const siteName = useSiteName();
  const say = useWords(words);
  const { can } = useSession();
  const to = wentTo ?? mergedInto;
  return (
    <>
      {instance !== null && can('incidents.manage') && (
        <Alert type="info" showIcon title={say('keptBySite', { site: siteName(instance) })} />
      )}
      {to !== null && (
        <Alert
          type="warning"
          showIcon
          title={
            <Link to="/incidents/$id" params={{ id: String(to) }}>
              {say('wentAway', { id: to })}
            </Link>
          }
        />
      )}
    </>
  );
}
