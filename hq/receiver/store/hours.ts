import { and, asc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../../store/engine/database.ts';
import type { SiteHourPort } from '../hours/port.ts';
import type { SiteHour } from '../hours/record.ts';
import { siteHours } from './schema.ts';

export class HubSiteHours implements SiteHourPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  keep(
    instance: string,
    hours: readonly SiteHour[],
    { from, to }: { from: number; to: number },
  ): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db
        .delete(siteHours)
        .where(and(eq(siteHours.instance, instance), or(lt(siteHours.at, from), gt(siteHours.at, to))));
      if (hours.length === 0) return;
      await tx.db
        .insert(siteHours)
        .values(hours.map((hour) => ({ instance, ...hour })))
        .onConflictDoUpdate({
          target: [siteHours.instance, siteHours.at],
          set: {
            received: sql`excluded.received`,
            backlog: sql`excluded.backlog`,
            roomBytes: sql`excluded.room_bytes`,
          },
        });
    });
  }

  of(instance: string): Promise<SiteHour[]> {
    return this.#database.read((db) =>
      db
        .select({
          at: siteHours.at,
          received: siteHours.received,
          backlog: siteHours.backlog,
          roomBytes: siteHours.roomBytes,
        })
        .from(siteHours)
        .where(eq(siteHours.instance, instance))
        .orderBy(asc(siteHours.at)),
    );
  }
}
