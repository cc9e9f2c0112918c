import { FileAddOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Dropdown } from 'antd';
import { answerOf, api } from '../../../api/client.ts';
import { timeNow } from '../../../api/clock.ts';
import { useAct } from '../../../page/act.ts';
import { useSession } from '../../../session/session.tsx';
import { useTimeText, useZones } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { useTypeName } from '../../event/type-name.tsx';
import { knowledgeKey } from '../../knowledge/queries.ts';
import type { ShiftPlan } from '../course/fold.ts';
import { useShareText } from '../course/share-table.tsx';
import { courseWords } from '../course/words.ts';
import { queryOf, type Window, windowBefore } from '../queries.ts';
import { withoutTests } from '../sums.ts';
import { type Readings, sectionsOf, type Writing } from './compose.ts';
import { type DraftKind, draftKinds, lastSpan } from './spans.ts';
import { draftWords } from './words.ts';

/** Everything that a report says of its period; test events are left out. */
async function read(tenant: string, group: string | undefined, span: Window): Promise<Readings> {
  const query = queryOf({ tenant, span, group });
  const before = queryOf({ tenant, span: windowBefore(span), group });
  const hours = (of: typeof query) => answerOf(api.GET('/api/core/stats/hours', { params: { query: of } }));
  const counts = await answerOf(api.GET('/api/core/stats/window', { params: { query } }));
  return {
    counts: withoutTests(counts, false),
    hours: (await hours(query)).items,
    hoursBefore: (await hours(before)).items,
    cameras: await answerOf(api.GET('/api/core/stats/cameras', { params: { query } })),
    times: (await answerOf(api.GET('/api/core/stats/times', { params: { query } }))).all,
  };
}

function useWriting(tenant: string): Omit<Writing, 'asOf'> {
  const say = useWords(draftWords);
  const sayCourse = useWords(courseWords);
  const { language } = useLanguage();
  const { lasting } = useTimeText();
  return {
    say,
    lasting,
    share: useShareText(),
    number: (value) => number(value, language),
    typeName: useTypeName(tenant),
    waitName: (wait) => sayCourse(wait),
    camera: ({ cameraRef, siteRef, instance }) =>
      [cameraRef ?? sayCourse('noCamera'), siteRef, instance].filter((part) => part !== null).join(' · '),
  };
}

/**
 * Drafts the report of a period that is over, and opens it; of one period there is one.
 * @param group of sites, which the report is of alone
 */
export function DraftReport({
  tenant,
  group,
  plan,
}: {
  tenant: string;
  group: string | undefined;
  plan: ShiftPlan;
}) {
  const say = useWords(draftWords);
  const { can } = useSession();
  const zone = useZones().of();
  const text = useTimeText();
  const navigate = useNavigate();
  const writing = useWriting(tenant);
  const { run, pending } = useAct({
    act: async (kind: DraftKind) => {
      const span = lastSpan(kind, timeNow(), plan, zone);
      const readings = await read(tenant, group, span);
      const [since, until] = [span.since, span.until].map((at) => text.full(at).slice(0, 16));
      const iso = [span.since, span.until].map((at) => new Date(at).toISOString());
      return answerOf(
        api.POST('/api/core/objects/knowledge', {
          body: {
            tenant_code: tenant,
            src_system: 'console',
            src_pk: [kind, ...iso, ...(group === undefined ? [] : [group])].join('/'),
            title: say(group === undefined ? 'title' : 'titleOfGroup', {
              ...{ kind: say(kind), since: since ?? '', until: until ?? '', group: group ?? '' },
            }),
            kind,
            source_ref: { since: iso[0], until: iso[1], ...(group && { site_group: group }) },
            body: { sections: sectionsOf(readings, { ...writing, asOf: text.full(timeNow()) }) },
            machine_generated: true,
          },
        }),
      );
    },
    changes: [knowledgeKey],
    done: ({ created }) => say(created ? 'drafted' : 'known'),
    then: ({ coreId }) =>
      void navigate({ to: '/reports/$id', params: { id: String(coreId) }, search: { tenant } }),
  });
  if (!can('knowledge.manage') || !can('knowledge.view')) return null;
  const names = {
    shift_handover: 'lastShift',
    weekly_report: 'lastWeek',
    monthly_report: 'lastMonth',
  } as const;
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: draftKinds.map((kind) => ({ key: kind, label: say(names[kind]) })),
        onClick: ({ key }) => {
          const kind = draftKinds.find((one) => one === key);
          if (kind) run(kind);
        },
      }}
    >
      <Button icon={<FileAddOutlined />} loading={pending}>
        {say('draft')}
      </Button>
    </Dropdown>
  );
}
