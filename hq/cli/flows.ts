// What waits at sites and for them, as `status` and `site list` show it. Pure.
import { type Language, sayer, wordFor } from '../../common/message.ts';
import { size } from '../../common/terminal/amounts.ts';
import { called, type FlowAnswer, type SiteAnswer } from './findings.ts';
import { healthMessages } from './health-messages.ts';

/** The flows in which something waits or has failed, a row each. */
export function flowRows(
  sites: readonly SiteAnswer[],
  { language, time }: { language: Language; time: (rfc3339: string) => string },
): string[][] {
  const w = sayer(healthMessages, language);
  return sites.flatMap(({ flows, ...site }) =>
    flows
      .filter(({ waiting, failed, lastError }) => waiting > 0 || failed > 0 || lastError !== null)
      .map(({ name, at, waiting, bytes, oldestAt, failed, ...fault }) => [
        called(site),
        w(`flow_${at}`, { name: wordFor(healthMessages, 'flows', name, language) }),
        String(waiting),
        size(bytes),
        oldestAt === null ? '–' : time(oldestAt),
        String(failed),
        (language === 'zh' ? fault.lastErrorZh : null) ?? fault.lastError ?? '–',
      ]),
  );
}

/** State, what waits there, what waits here, and what does not come any more. */
export function flowColumns(site: SiteAnswer | undefined, language: Language): string[] {
  if (!site) return ['–', '–', '–', '–'];
  const w = sayer(healthMessages, language);
  const sum = (flows: readonly FlowAnswer[]): string => {
    const bytes = flows.reduce((total, flow) => total + (flow.bytes ?? 0), 0);
    const waiting = flows.reduce((total, flow) => total + flow.waiting, 0);
    return bytes === 0 ? String(waiting) : `${waiting} (${size(bytes)})`;
  };
  const there = site.flows.filter(({ at }) => at === 'site');
  return [
    w(`siteStates_${site.state}`),
    there.length === 0 ? '–' : sum(there),
    sum(site.flows.filter(({ at }) => at === 'hq')),
    String(site.flows.reduce((total, { failed }) => total + failed, 0)),
  ];
}
