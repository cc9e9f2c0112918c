import { PlusOutlined } from '@ant-design/icons';
import { Alert, App, Button, Card, Collapse, Flex, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { AsOf } from '../../page/fault.tsx';
import { LinkButton } from '../../page/link-button.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import type { Language } from '../../word/catalogue.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { RotaDialog } from './dialog.tsx';
import { type Rota, ROTAS, type Span, useRotas, useSpans } from './queries.ts';
import { words } from './words.ts';

/** Who is on duty, and where nobody is? */
export function Duty() {
  const say = useWords(words);
  const { can } = useSession();
  const rotas = useRotas();
  const [edited, edit] = useState<Rota | 'new' | null>(null);
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        <>
          <LinkButton to="/calls">{say('mine')}</LinkButton>
          {can('duty.manage') && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => edit('new')}>
              {say('create')}
            </Button>
          )}
        </>
      }
    >
      <AsOf query={rotas} />
      {!rotas.data && rotas.isPending && <Skeleton active />}
      {rotas.data?.length === 0 && <Nothing none={say('none')} />}
      {rotas.data?.map((rota) => (
        <RotaCard key={rota.id} rota={rota} edit={() => edit(rota)} />
      ))}
      {edited !== null && <RotaDialog rota={edited === 'new' ? null : edited} close={() => edit(null)} />}
    </Page>
  );
}

function RotaCard({ rota, edit }: { rota: Rota; edit: () => void }) {
  const say = useWords(words);
  const siteName = useSiteName();
  const { can } = useSession();
  const { name, tenantCode, zone, enabled, nextAfterMinutes } = rota;
  const where = [
    ...(rota.sites ?? []).map((site) => siteName(site)),
    ...rota.siteGroups.map((group) => say('ofGroup', { group })),
  ];
  return (
    <Card
      size="small"
      title={
        <Flex gap="small" wrap align="center">
          <span>{name}</span>
          <Tag>{tenantCode ?? say('operators')}</Tag>
          {!enabled && <Tag color="warning">{say('off')}</Tag>}
        </Flex>
      }
      extra={can('duty.manage') && <RotaActions rota={rota} edit={edit} />}
    >
      <Flex vertical gap="small">
        <OnDuty rota={rota} />
        <span className="quiet wrap">
          {[
            where.length === 0 ? say('every') : where.join(', '),
            say('after', { minutes: nextAfterMinutes }),
            zone,
          ].join(' · ')}
        </span>
        {rota.gaps.length > 0 ? (
          <Alert
            type="warning"
            showIcon
            title={say('gaps', { count: rota.gaps.length })}
            description={<Spans spans={rota.gaps.slice(0, GAPS)} zone={zone} />}
          />
        ) : (
          <span className="quiet">{say('noGaps')}</span>
        )}
        <Plan rota={rota} />
      </Flex>
    </Card>
  );
}

/** Gaps that are named; the plan has all. */
const GAPS = 5;

function OnDuty({ rota: { onDuty } }: { rota: Rota }) {
  const say = useWords(words);
  const [first, ...others] = onDuty;
  if (first === undefined) return <strong className="bad">{say('nobody')}</strong>;
  return (
    <Flex gap="small" wrap align="center">
      <span>{say('nowOn')}</span>
      <strong>{first}</strong>
      {others.length > 0 && (
        <span className="quiet">
          {say('then')} {others.join(' → ')}
        </span>
      )}
    </Flex>
  );
}

function Plan({ rota }: { rota: Rota }) {
  const say = useWords(words);
  const [open, turn] = useState(false);
  const spans = useSpans(rota, open);
  const children = spans.data ? <Spans spans={spans.data} zone={rota.zone} /> : <AsOf query={spans} />;
  return (
    <Collapse
      size="small"
      onChange={(keys) => turn(keys.length > 0)}
      items={[{ key: 'plan', label: say('plan'), children }]}
    />
  );
}

function Spans({ spans, zone }: { spans: readonly Span[]; zone: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const between = (from: string, to: string): string =>
    `${momentIn(zone, from, language)} – ${momentIn(zone, to, language)} `;
  return (
    <ul className="plain-list">
      {spans.map(({ from, to, people }) => (
        <li key={from}>
          <span className="quiet">{between(from, to)}</span>
          {people.length === 0 ? <strong>{say('gap')}</strong> : people.join(' → ')}
        </li>
      ))}
    </ul>
  );
}

/** By the clock of the rota, whatever the console shows elsewhere. */
const momentIn = (timeZone: string, at: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    ...{ timeZone, weekday: 'short', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  }).format(new Date(at));

function RotaActions({ rota: { id, name }, edit }: { rota: Rota; edit: () => void }) {
  const say = useWords(words);
  const { modal } = App.useApp();
  const remove = useAct({
    act: () => answerOf(api.DELETE('/api/core/duty/rotas/{id}', { params: { path: { id } } })),
    changes: [ROTAS],
    done: () => say('removed'),
  });
  const sure = (): void =>
    void modal.confirm({
      title: say('removeSure', { name }),
      content: say('removeWhy'),
      okText: say('remove'),
      okButtonProps: { danger: true },
      cancelText: say('cancel'),
      onOk: () => remove.run(undefined),
    });
  return (
    <Flex gap="small">
      <Button size="small" onClick={edit}>
        {say('change')}
      </Button>
      <Button size="small" danger onClick={sure}>
        {say('remove')}
      </Button>
    </Flex>
  );
}
