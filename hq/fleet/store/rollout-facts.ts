// What a rollout is decided on. SQL, since it reads all of its sites at once.
import type { UpgradeStep } from '../../../common/uplink/upgrade/record.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { SiteFact } from '../rollout/decide.ts';
import type { Rollout } from '../rollout/record.ts';
import { mayLookAfter } from '../whose.ts';

const FACTS = `
  select s.instance, s.wave, s.step, s.excused, t.version, t.features, t.last_seen_at as "lastSeenAt",
    t.tenants, u.instance is not null as ours,
    case when s.step = 'gone' then u.told::json ->> 'step' end as told
  from rollout_sites s
  left join sites t on t.instance = s.instance and t.removed_at is null
  left join site_upgrades u
    on u.tenant_code = '' and u.instance = s.instance and u.rollout_id = s.rollout_id
  where s.rollout_id = $1 order by s.place`;

type Row = Omit<SiteFact, 'there' | 'told'> & {
  tenants: string[] | null;
  ours: boolean;
  told: UpgradeStep | null;
};

/** All sites of a rollout, in the order in which they are begun. */
export async function factsOf(tx: Tx, { id, boundTo }: Rollout): Promise<SiteFact[]> {
  const { rows } = await tx.client.query<Row>(FACTS, [id]);
  return rows.map(({ tenants, ours, told, ...row }) => ({
    ...row,
    lastSeenAt: row.lastSeenAt === null ? null : Number(row.lastSeenAt),
    there: tenants !== null && mayLookAfter(tenants, boundTo),
    told: ours ? { step: told } : null,
  }));
}
