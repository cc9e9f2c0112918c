import type { Cell } from '../../csv/csv.ts';
import { ExportButton, type Sheet } from '../../csv/download.tsx';
import { useSession } from '../../session/session.tsx';
import { useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useCameraName } from '../camera/name.tsx';
import { useTypeName } from '../event/type-name.tsx';
import { words as eventWords } from '../event/words.ts';
import { words as taskWords } from '../task/words.ts';
import { useKindName } from './charts.tsx';
import { type Narrowed, readEvents, type Window } from './queries.ts';
import type { Counted } from './sums.ts';
import { words } from './words.ts';

interface Exported extends Narrowed {
  tenant: string;
  span: Window;
  counts: Counted;
  tests: boolean;
}

/** The figures as they are shown, and the events they are of, as files. */
export function Exports(exported: Exported) {
  const say = useWords(words);
  const { can } = useSession();
  const text = useTimeText();
  const { tenant, span, group } = exported;
  const [since, until] = [span.since, span.until].map((at) => text.full(at).slice(0, 16));
  const name = (what: 'countsFile' | 'eventsFile'): string =>
    [say(what), tenant, ...(group === undefined ? [] : [group]), since, until].join('-');
  const [counts, events] = [useCountSheet(exported), useEventSheet(exported)];
  return (
    <>
      <ExportButton label={say('exportCounts')} name={name('countsFile')} read={counts} />
      {can('events.view') && (
        <ExportButton label={say('exportEvents')} name={name('eventsFile')} read={events} />
      )}
    </>
  );
}

const asCount = (what: 'events' | 'undatedEvents') => (one: Counted['events'][number]) => ({ what, one });

/** One row for each group, in the order of the hub. */
function useCountSheet({
  tenant,
  counts: { events, undated, tasks, knowledge },
}: Exported): () => Promise<Sheet> {
  const say = useWords(words);
  const event = useWords(eventWords);
  const task = useWords(taskWords);
  const kindName = useKindName();
  const typeName = useTypeName(tenant);
  const yes = (value: boolean | null): string | null => (value === null ? null : say(value ? 'yes' : 'no'));
  const rows = (): Cell[][] => [
    ...[...events.map(asCount('events')), ...undated.map(asCount('undatedEvents'))].map(({ what, one }) => [
      say(what),
      typeName(one.type),
      one.type,
      event(one.source),
      say(one.kind),
      event(one.verdict ?? 'unjudged'),
      one.correctedTo && event(one.correctedTo),
      null,
      yes(one.test),
      yes(one.judged),
      one.judgedType && typeName(one.judgedType),
      event(one.severity),
      null,
      null,
      one.count,
    ]),
    ...tasks.map((one) => [
      say('tasks'),
      task(one.type),
      null,
      one.eventSource && event(one.eventSource),
      null,
      null,
      null,
      task(one.state),
      yes(one.eventTest),
      null,
      null,
      null,
      yes(one.overdue),
      yes(one.escalated),
      one.count,
    ]),
    ...knowledge.map((one) => [
      say('byKind'),
      kindName(one.kind),
      ...Array.from({ length: 12 }, () => null),
      one.count,
    ]),
  ];
  const head = [
    say('what'),
    say('type'),
    say('typeCode'),
    event('source'),
    say('kind'),
    event('verdict'),
    say('corrected'),
    say('state'),
    event('test'),
    say('judged'),
    say('judgedType'),
    event('severity'),
    say('overdue'),
    say('escalated'),
    say('count'),
  ];
  return () => Promise.resolve({ head, rows: rows(), cut: false });
}

/** The events of the period, newest first. */
function useEventSheet({ tenant, span, tests, severity, group }: Exported): () => Promise<Sheet> {
  const say = useWords(words);
  const event = useWords(eventWords);
  const text = useTimeText();
  const typeName = useTypeName(tenant);
  const cameraName = useCameraName();
  return async () => {
    const { items, cut } = await readEvents({ tenant, span, severity, group }, tests);
    const at = (time: string | null, site: string): string | null => time && text.full(time, site);
    return {
      head: [
        say('number'),
        say('occurred'),
        say('received'),
        event('severity'),
        say('type'),
        say('typeCode'),
        say('title'),
        event('camera'),
        event('site'),
        event('place'),
        event('source'),
        event('verdict'),
        event('judgedBy'),
        say('verdictAt'),
        say('corrected'),
        event('test'),
      ],
      rows: items.map((one) => [
        one.id,
        at(one.occurredAt, one.instance),
        at(one.receivedAt, one.instance),
        event(one.severity ?? 'noSeverity'),
        typeName(one.type),
        one.type,
        one.title ?? null,
        cameraName(one),
        one.instance,
        one.siteRef ?? null,
        event(one.source),
        event(one.verdict ?? 'unjudged'),
        one.verdictBy,
        at(one.verdictAt, one.instance),
        one.correctedTo && event(one.correctedTo),
        say(one.isTest ? 'yes' : 'no'),
      ]),
      cut,
    };
  };
}
