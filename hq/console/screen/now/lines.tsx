import { Link } from '@tanstack/react-router';
import { Flex, Tag } from 'antd';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { EventTime } from '../event/event-time.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { TypeNames } from '../event/type-name.tsx';
import { SiteName } from '../site/name.tsx';
import { type SiteLine, useFleet, useSiteStates } from '../site/queries.ts';
import { SiteState } from '../site/state.tsx';
import {
  useFailingSources,
  useFailingWebhooks,
  useOverdue,
  useRefusals,
  useRefusedOrders,
  useSevere,
} from './queries.ts';
import { Section } from './section.tsx';
import { SEVERE, weekAgo } from './severe.ts';
import { words } from './words.ts';

/** A line of a section: what leads to it, and what is said beside it. */
function Line({ to, text, children }: { to: string | null; text: ReactNode; children?: ReactNode }) {
  return (
    <Flex vertical className="wrap">
      {to === null ? (
        <bdi>{text}</bdi>
      ) : (
        <Link to={to}>
          <bdi>{text}</bdi>
        </Link>
      )}
      <Flex gap="small" wrap align="center" className="quiet">
        {children}
      </Flex>
    </Flex>
  );
}

export function Severe() {
  const say = useWords(words);
  const query = useSevere();
  return (
    <Section
      title={say('severe')}
      query={query}
      keyOf={({ id }) => id}
      to="/events"
      search={{ verdict: 'none', severity: [...SEVERE], since: weekAgo() }}
      line={({ id, title, type, tenantCode, severity, occurredAt, receivedAt, instance }) => (
        <Line to={`/events/${id}`} text={title ?? <TypeNames tenant={tenantCode} types={[type]} />}>
          <SeverityTag severity={severity} />
          <EventTime event={{ occurredAt, receivedAt, instance }} />
          <SiteName of={instance} />
        </Line>
      )}
    />
  );
}

export function Overdue() {
  const say = useWords(words);
  return (
    <Section
      title={say('overdue')}
      query={useOverdue()}
      keyOf={({ id }) => id}
      to="/tasks"
      search={{ overdue: 'yes' }}
      urgent
      line={({ id, title, severity, dueAt, instance, assigneeOrg }) => (
        <Line to={`/tasks/${id}`} text={title}>
          <SeverityTag severity={severity} />
          {dueAt !== null && <Time at={dueAt} site={instance} />}
          <bdi>{assigneeOrg}</bdi>
          {instance !== null && <SiteName of={instance} />}
        </Line>
      )}
    />
  );
}

/** Sites that are not heard, for whoever sees the uplink or events. */
export function Silent() {
  return useSession().can('uplink.view') ? <SilentUplinks /> : <SilentSites />;
}

function SilentUplinks() {
  const query = useFleet({ state: 'silent,late,away' });
  return <NotHeard query={query} leadTo={(instance) => `/sites/${encodeURIComponent(instance)}`} />;
}

function SilentSites() {
  const query = useSiteStates();
  const items = query.data?.filter(({ state }) => state !== 'current');
  return <NotHeard query={{ ...query, data: items && { items, hasMore: false } }} leadTo={() => '/sites'} />;
}

function NotHeard({
  query,
  leadTo,
}: {
  query: Parameters<typeof Section<Pick<SiteLine, 'instance' | 'state' | 'lastSeenAt'>>>[0]['query'];
  leadTo: (instance: string) => string;
}) {
  const say = useWords(words);
  return (
    <Section
      title={say('sites')}
      query={query}
      keyOf={({ instance }) => instance}
      to="/sites"
      search={{ state: ['silent', 'late'] }}
      urgent
      line={(site) => (
        <Line to={leadTo(site.instance)} text={<SiteName of={site.instance} />}>
          <SiteState site={site} />
        </Line>
      )}
    />
  );
}

/** What sites did not carry out of what was decided here: as the inbox has it, or else the orders. */
export function Refused() {
  const { can } = useSession();
  if (can('notifications.view')) return <Refusals />;
  return can('uplink.view') ? <RefusedOrders /> : null;
}

function Refusals() {
  const say = useWords(words);
  return (
    <Section
      title={say('refusals')}
      query={useRefusals()}
      keyOf={({ id }) => id}
      line={({ eventId, taskId, message, createdAt, instance, severity }) => (
        <Line to={placeOf(eventId, taskId)} text={message}>
          <SeverityTag severity={severity} />
          <Time at={createdAt} site={instance} />
        </Line>
      )}
    />
  );
}

function placeOf(eventId: number | null, taskId: number | null): string | null {
  if (taskId !== null) return `/tasks/${taskId}`;
  return eventId === null ? null : `/events/${eventId}`;
}

function RefusedOrders() {
  const say = useWords(words);
  return (
    <Section
      title={say('refusedOrders')}
      query={useRefusedOrders()}
      keyOf={({ id }) => id}
      line={({ taskId, reason, instance, by, createdAt }) => (
        <Line to={`/tasks/${taskId}`} text={reason ?? <SiteName of={instance} />}>
          <SiteName of={instance} />
          <bdi>{by}</bdi>
          <Time at={createdAt} site={instance} />
        </Line>
      )}
    />
  );
}

interface Fault {
  lastError: string | null;
  lastErrorZh: string | null;
}
const NO_FAULT: Fault = { lastError: null, lastErrorZh: null };

export function Failing() {
  const say = useWords(words);
  const { language } = useLanguage();
  const inWords = ({ lastError, lastErrorZh }: Fault): string | null =>
    language === 'zh' ? (lastErrorZh ?? lastError) : lastError;
  return (
    <>
      <Section
        title={say('webhooks')}
        query={useFailingWebhooks()}
        keyOf={({ id }) => id}
        to="/integration"
        line={({ name, status, failures, callbackUrl }) => (
          <Line to="/integration" text={name}>
            {status === 'disabled' && <Tag>{say('off')}</Tag>}
            {failures > 0 && <Tag color="error">{say('failures', { count: failures })}</Tag>}
            <bdi>{callbackUrl}</bdi>
          </Line>
        )}
      />
      <Section
        title={say('datasets')}
        query={useFailingSources()}
        keyOf={({ id }) => id}
        to="/data"
        line={({ name, failures, lastError, lastErrorZh, datasets }) => (
          <Line to="/data" text={name}>
            <Tag color="error">
              {say('failures', { count: Math.max(failures, ...datasets.map((one) => one.failures)) })}
            </Tag>
            <bdi>
              {inWords({ lastError, lastErrorZh }) ??
                inWords(datasets.find((one) => one.lastError !== null) ?? NO_FAULT)}
            </bdi>
          </Line>
        )}
      />
    </>
  );
}
