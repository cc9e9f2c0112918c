// How much room evidence has: all of it, and the shares of tenants and of their sites, so that none of them
// fills what is another's.
import type { EvidenceLimits, EvidenceUse, OverRoom } from '../port.ts';

/** Whose file it is. */
export interface Owner {
  tenantCode: string;
  /** null: its event arose here. */
  instance: string | null;
}

export interface Room {
  over: OverRoom;
  used: number;
  /** Bytes at most. */
  limit: number;
}

/** What is used, added up once for however many owners are looked at. */
interface Sums {
  all: number;
  tenants: Map<string, { bytes: number; sites: Map<string | null, number> }>;
}

function sumsOf(uses: readonly EvidenceUse[]): Sums {
  const sums: Sums = { all: 0, tenants: new Map() };
  for (const { tenantCode, instance, bytes } of uses) {
    const own = sums.tenants.get(tenantCode) ?? { bytes: 0, sites: new Map<string | null, number>() };
    sums.tenants.set(tenantCode, own);
    sums.all += bytes;
    own.bytes += bytes;
    own.sites.set(instance, (own.sites.get(instance) ?? 0) + bytes);
  }
  return sums;
}

/** The rooms that a file of this owner must find its place in, the narrowest first. */
export const roomsOf = (uses: readonly EvidenceUse[], owner: Owner, limits: EvidenceLimits): Room[] =>
  roomsIn(sumsOf(uses), owner, limits);

function roomsIn(sums: Sums, { tenantCode, instance }: Owner, limits: EvidenceLimits): Room[] {
  const own = sums.tenants.get(tenantCode);
  const limit = tenantShare(sums.tenants.size + (own ? 0 : 1), limits);
  const all: Room = { over: 'over_limit', used: sums.all, limit: limits.total };
  const ofTenant: Room = { over: 'over_tenant', used: own?.bytes ?? 0, limit };
  const rooms = limit < limits.total ? [ofTenant, all] : [all];
  const sites = own?.sites ?? new Map<string | null, number>();
  const count = sites.size - Number(sites.has(null)) + Number(!sites.has(instance));
  if (instance === null || count < 2) return rooms;
  const siteLimit = Math.floor((limit * limits.sitePercent) / 100);
  return [{ over: 'over_site', used: sites.get(instance) ?? 0, limit: siteLimit }, ...rooms];
}

const tenantShare = (tenants: number, { total, tenantPercent }: EvidenceLimits): number =>
  Math.floor(tenantPercent > 0 ? (total * tenantPercent) / 100 : total / tenants);

/** The room that `size` bytes more would not find their place in; null: they do. */
export function fullRoom(
  uses: readonly EvidenceUse[],
  owner: Owner,
  size: number,
  limits: EvidenceLimits,
): Room | null {
  return roomsOf(uses, owner, limits).find(({ used, limit }) => used + size > limit) ?? null;
}

/** Part of a room that is told of before it is full. */
export const NEARLY_FULL = 0.8;

/** The rooms that are nearly full, each once. */
export function nearlyFull(
  uses: readonly EvidenceUse[],
  limits: EvidenceLimits,
): { owner: Owner | null; room: Room }[] {
  const found = new Map<string, { owner: Owner | null; room: Room }>();
  const sums = sumsOf(uses);
  for (const { tenantCode, instance } of uses)
    for (const room of roomsIn(sums, { tenantCode, instance }, limits)) {
      if (room.used < room.limit * NEARLY_FULL) continue;
      const owner =
        room.over === 'over_limit'
          ? null
          : { tenantCode, instance: room.over === 'over_site' ? instance : null };
      found.set(JSON.stringify([room.over, owner]), { owner, room });
    }
  return [...found.values()].filter(({ room }) => room.limit > 0);
}
