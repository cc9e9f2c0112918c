import type { Database } from '../../store/engine/database.ts';
import { atOneMoment } from '../../store/event-index/moment.ts';
import type { SiteTimes, StatisticsPort, StatisticsQuery } from '../port.ts';
import type { CameraCount, HourCount, Times } from '../record.ts';
import { camerasIn, hoursIn } from './counts.ts';
import { timesIn } from './times.ts';

export class HubStatistics implements StatisticsPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  hours(query: StatisticsQuery, withinMs: number): Promise<HourCount[]> {
    return atOneMoment(this.#database, withinMs, (ask) => hoursIn(ask, query));
  }

  cameras(query: StatisticsQuery, withinMs: number): Promise<CameraCount[]> {
    return atOneMoment(this.#database, withinMs, (ask) => camerasIn(ask, query));
  }

  times(query: StatisticsQuery, withinMs: number): Promise<{ all: Times; sites: SiteTimes[] }> {
    return atOneMoment(this.#database, withinMs, (ask) => timesIn(ask, query));
  }
}
