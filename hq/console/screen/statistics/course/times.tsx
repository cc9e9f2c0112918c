import { Card, Flex, Statistic } from 'antd';
import { ExportButton } from '../../../csv/download.tsx';
import { useTimeText } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { useSiteName } from '../../site/name.tsx';
import type { Times } from '../queries.ts';
import type { Counted } from '../sums.ts';
import { standingOf, type Standings, standings, totalOf } from './fold.ts';
import { ShareTable } from './share-table.tsx';
import { courseWords } from './words.ts';

const WAITS = ['verdict', 'takeover', 'completion'] as const;
type SiteTimes = Times['sites'][number];
type Waits = SiteTimes['verdict'];

function useWaitText() {
  const say = useWords(courseWords);
  const text = useTimeText();
  return ({ median, ninetieth }: Waits): { value: string; under: string | null } =>
    median === null || ninetieth === null
      ? { value: '–', under: null }
      : { value: text.lasting(median), under: say('ninetieth', { time: text.lasting(ninetieth) }) };
}

/** Half of the time within the figure, nine of ten times within the one below. */
export function TimeFigures({ now, before }: { now: Times['all']; before: Times['all'] | undefined }) {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  const write = useWaitText();
  return (
    <div className="figures" role="group" aria-label={say('times')}>
      {WAITS.map((name) => {
        const { value, under } = write(now[name]);
        const earlier = before && write(before[name]).value;
        return (
          <Card key={name} size="small">
            <Statistic title={`${say(name)} (${say('median')})`} value={value} />
            <Flex vertical className="quiet">
              <span>
                {under === null
                  ? say('noneYet')
                  : `${under} · ${say('ofCount', { count: number(now[name].count, language) })}`}
              </span>
              {earlier !== undefined && <span>{say('wasBefore', { time: earlier })}</span>}
            </Flex>
          </Card>
        );
      })}
    </div>
  );
}

type SiteRow = Standings & { instance: string | null; times: SiteTimes | undefined };

/** Sums by site, with how long people took there. */
function siteRows(counted: Counted, { sites }: Times): SiteRow[] {
  const rows = new Map<string | null, SiteRow>();
  const rowOf = (instance: string | null): SiteRow => {
    const known = rows.get(instance);
    if (known) return known;
    const row: SiteRow = {
      ...{ instance, times: sites.find((one) => one.instance === instance) },
      ...{ confirmed: 0, falseAlarm: 0, merged: 0, unjudged: 0 },
    };
    rows.set(instance, row);
    return row;
  };
  for (const { instance, count, ...event } of counted.events) rowOf(instance)[standingOf(event)] += count;
  for (const { instance } of sites) rowOf(instance);
  return [...rows.values()].sort((a, b) => totalOf(b) - totalOf(a));
}

/** The sites beside each other. */
export function SitesBeside({
  counted,
  times,
  fileName,
}: {
  counted: Counted;
  times: Times;
  fileName: string;
}) {
  const say = useWords(courseWords);
  const siteName = useSiteName();
  const write = useWaitText();
  const rows = siteRows(counted, times);
  const nameOf = ({ instance }: SiteRow): string =>
    instance === null ? say('headquarters') : siteName(instance);
  const seconds = (ms: number | null | undefined): number | null =>
    ms === null || ms === undefined ? null : Math.round(ms / 1000);
  const read = () =>
    Promise.resolve({
      head: [
        ...[say('site'), say('events'), ...standings.map((one) => say(one))],
        ...WAITS.flatMap((name) => [
          say('medianSeconds', { what: say(name) }),
          say('ninetiethSeconds', { what: say(name) }),
        ]),
      ],
      rows: rows.map((row) => [
        ...[nameOf(row), totalOf(row), ...standings.map((one) => row[one])],
        ...WAITS.flatMap((name) => [seconds(row.times?.[name].median), seconds(row.times?.[name].ninetieth)]),
      ]),
      cut: false,
    });
  return (
    <section>
      <Flex gap="small" wrap align="center" justify="space-between">
        <strong>{say('bySite')}</strong>
        <ExportButton label={say('export')} name={`${say('sitesFile')}-${fileName}`} read={read} />
      </Flex>
      <ShareTable
        rows={rows}
        rowKey={({ instance }) => instance ?? ''}
        first={[{ key: 'site', title: say('site'), render: (_, row) => <bdi>{nameOf(row)}</bdi> }]}
        last={WAITS.map((name) => ({
          key: name,
          title: say(name),
          render: (_: unknown, { times: own }: SiteRow) => {
            const { value, under } = own ? write(own[name]) : { value: '–', under: null };
            return (
              <Flex vertical>
                {value}
                {under !== null && <span className="quiet">{under}</span>}
              </Flex>
            );
          },
        }))}
      />
    </section>
  );
}
