import type { Clock } from '../../../common/clock.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Route } from '../../../common/http/route.ts';
import type { Logger } from '../../../common/log.ts';
import { counter, type Metric } from '../../../common/metrics.ts';
import type { Origins } from '../origin.ts';
import { LibraryNotices } from './notices.ts';
import type { SiteLibraryPort } from './port.ts';
import { type SiteLevel, siteRank } from './record.ts';
import { siteLibraryRoutes } from './routes.ts';
import { LibraryAnswers } from './service.ts';

export interface SiteLibrariesOptions {
  libraries: SiteLibraryPort;
  origins: Origins;
  /** Tenants of a live site; null: there is no such site. */
  tenantsOf: (instance: string) => Promise<readonly string[] | null>;
  /** Up to which level policies go to sites. */
  level: SiteLevel;
  epoch: () => string;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  instance: string;
  clock: Clock;
  log: Logger;
}

export interface SiteLibraries {
  routes: Route[];
  metrics: Metric[];
  notices: LibraryNotices;
  start(): void;
  stop(): Promise<void>;
}

/** The policies in force on their way to the sites of their tenants. */
export function createSiteLibraries(options: SiteLibrariesOptions): SiteLibraries {
  const { libraries, origins, level } = options;
  const answers = new LibraryAnswers(options);
  const notices = new LibraryNotices({ ...options, maxRank: siteRank(level) });
  const told = 'Answers to sites that asked for the policies in force';
  return {
    routes: siteLibraryRoutes(answers, libraries, origins),
    metrics: [
      counter(
        'fieldline_site_library_answers_total',
        told,
        () => answers.counts.files + answers.counts.clauses,
      ),
      counter('fieldline_site_library_bytes_total', `${told}, bytes`, () => answers.counts.bytes),
    ],
    notices,
    start: () => notices.loop.start(),
    stop: () => notices.loop.stop(),
  };
}
