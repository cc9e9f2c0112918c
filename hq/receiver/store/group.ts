// The groups that sites are looked after by. A tenant's own people know a group by a site that is theirs
// alone: of what a site brings for several tenants, groups may be named after another of them.
import { sql } from 'drizzle-orm';
import type { GroupReader } from '../../../common/core/instance/record.ts';
import type { Database } from '../../store/engine/database.ts';
import type { SiteGroup, SiteGroupPort } from '../fleet/port.ts';
import { sites } from './schema.ts';

export class HubSiteGroups implements SiteGroupPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  sitesOf(name: string, { tenantCode, bound }: GroupReader): Promise<string[]> {
    return this.#database.read(async (db) => {
      const { rows } = await db.execute<{ instance: string }>(sql`
        with of_group as (
          select ${sites.instance}, ${sites.continues}, ${sites.tenants} from ${sites}
          where ${sites.removedAt} is null and ${sites.groups} @> array[${name}]
            and (${tenantCode}::text is null or ${sites.tenants} @> array[${tenantCode}::text])
        )
        select distinct unnest(array[g.instance] || g.continues) as instance from of_group g
        where not ${bound} or exists (select 1 from of_group o where o.tenants = array[${tenantCode}::text])
        order by 1`);
      return rows.map(({ instance }) => instance);
    });
  }

  list({ tenantCode, bound }: GroupReader): Promise<SiteGroup[]> {
    return this.#database.read(async (db) => {
      const { rows } = await db.execute<{ name: string; sites: string }>(sql`
        select g.name, count(*) as sites
        from ${sites} cross join lateral unnest(${sites.groups}) g (name)
        where ${sites.removedAt} is null
          and (${tenantCode}::text is null or ${sites.tenants} @> array[${tenantCode}::text])
        group by g.name
        having not ${bound} or bool_or(${sites.tenants} = array[${tenantCode}::text])
        order by g.name collate "C"`);
      return rows.map((row) => ({ name: row.name, sites: Number(row.sites) }));
    });
  }
}
