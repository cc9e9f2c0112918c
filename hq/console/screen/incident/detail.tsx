import { LeftOutlined } from '@ant-design/icons';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { Alert, Button, Card, Col, Flex, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { AsOf } from '../../page/fault.tsx';
import { useIdParam } from '../../page/id-param.ts';
import { NotFound, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { ConfirmDialog, SplitDialog, UnmergeDialog } from './decide.tsx';
import { Facts } from './facts.tsx';
import { nameOf } from './labels.tsx';
import { Members } from './members.tsx';
import { MergeAgain } from './merge.tsx';
import { LastOrder, openOrder, type Order, Orders } from './orders.tsx';
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
  | { what: 'unmerge'; group: Detail; from: number }
  | { what: 'merge'; ids: readonly number[] };

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
  const decides = can('incidents.manage') && !openOrder(group);
  const splits = decides && group.state !== 'closed' && sizeOf(group) > 1;
  const close = (): void => {
    decide(null);
    choose([]);
  };
  const to = group.wentTo ?? group.mergedInto;
  /** What an order that was refused is on the group as it is now; undefined: it is not possible any more. */
  const repeat = ({ kind, groups, eventIds }: Order): (() => void) | undefined => {
    const open = group.state !== 'closed';
    if (kind === 'confirm' && open && group.state !== 'confirmed')
      return () => decide({ what: 'confirm', group });
    if (kind === 'unmerge' && !open && to !== null) return () => decide({ what: 'unmerge', group, from: to });
    if (kind === 'merge' && open) return () => decide({ what: 'merge', ids: groups });
    const again = members.filter(({ eventId }) => eventIds.includes(eventId));
    if (kind === 'split' && open && again.length > 0 && again.length < sizeOf(group)) {
      const staying = members.filter((one) => !again.includes(one));
      return () => decide({ what: 'split', group, leaving: again, staying });
    }
    return undefined;
  };
  return (
    <Page
      title={nameOf(group)}
      under={say('number', { id: group.id })}
      actions={<Actions group={group} decides={decides} decide={decide} />}
    >
      <AsOf query={query} />
      <Notices group={group} again={can('incidents.manage') ? (order) => repeat(order) : undefined} />
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={8}>
          <Flex vertical gap="middle">
            <Facts group={group} />
            {group.instance !== null && <Orders site={group.instance} orders={group.orders ?? []} />}
          </Flex>
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
    case 'merge':
      return <MergeAgain ids={deciding.ids} close={close} />;
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

function Notices({
  group: { instance, wentTo, mergedInto, orders = [] },
  again,
}: {
  group: Detail;
  again: ((order: Order) => (() => void) | undefined) | undefined;
}) {
  const say = useWords(words);
  const to = wentTo ?? mergedInto;
  const [last] = orders;
  return (
    <>
      {instance !== null && last && <LastOrder order={last} again={again?.(last)} />}
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
