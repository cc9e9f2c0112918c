import { EditOutlined, LeftOutlined } from '@ant-design/icons';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Button, Col, Flex, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { useFilters } from '../../list/filter.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Page } from '../../page/page.tsx';
import { words as pageWords } from '../../page/words.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { objectFilters } from '../report/filters.ts';
import { Body } from './body.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { type Knowledge, useObject } from './queries.ts';
import { ReviseDialog } from './revise.tsx';
import { reviseWords } from './revise-words.ts';
import { editable } from './sections.ts';
import { SignOffButton, SignOffState } from './sign-off.tsx';
import { words } from './words.ts';

/** One report, case or list: what it says, who revised it, and what it is about. */
export function KnowledgeDetail() {
  const say = useWords(words);
  const sayPage = useWords(pageWords);
  const { id = '' } = useParams({ strict: false });
  const { identity } = useSession();
  const { filters } = useFilters(objectFilters);
  // A user of a tenant has no other, whatever the address says.
  const tenant = identity.tenantCode ?? filters.tenant;
  const which = { id: Number(id), tenant: tenant ?? '' };
  const query = useObject(which, tenant !== undefined);
  if (query.data) return <Loaded key={`${id} ${tenant}`} object={query.data} query={query} />;
  return (
    <Page title={say('number', { id })}>
      {tenant === undefined ? (
        <Nothing none={sayPage('gone')} />
      ) : query.isPending ? (
        <Skeleton active />
      ) : (
        <AsOf query={query} />
      )}
    </Page>
  );
}

function Loaded({ object, query }: { object: Knowledge; query: ReturnType<typeof useObject> }) {
  const say = useWords(words);
  const sayRevise = useWords(reviseWords);
  const { can } = useSession();
  const navigate = useNavigate();
  const { history } = useRouter();
  const [revising, revise] = useState(false);
  const back = (): void => {
    if (history.canGoBack()) history.back();
    else void navigate({ to: '/reports' });
  };
  useKeys(revising ? {} : { Escape: back });
  const revisable = can('knowledge.manage') && Object.keys(editable(object.body.sections)).length > 0;
  return (
    <Page
      title={object.title}
      under={say('number', { id: object.coreId })}
      actions={
        <>
          <Button icon={<LeftOutlined />} onClick={back}>
            {say('back')}
          </Button>
          <SignOffButton object={object} />
          {revisable && (
            <Button type="primary" icon={<EditOutlined />} onClick={() => revise(true)}>
              {sayRevise('revise')}
            </Button>
          )}
        </>
      }
    >
      <AsOf query={query} />
      <SignOffState object={object} />
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={15}>
          <Body body={object.body} />
        </Col>
        <Col xs={24} xl={9}>
          <Flex vertical gap="middle">
            <Facts object={object} />
            <History object={object} />
          </Flex>
        </Col>
      </Row>
      {revising && <ReviseDialog object={object} close={() => revise(false)} />}
    </Page>
  );
}
