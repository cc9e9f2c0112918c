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

/** The rooms that a file of this owner must find its place in, the narrowest first. */
export function roomsOf(uses: readonly EvidenceUse[], owner: Owner, limits: EvidenceLimits): Room[] {
  const { tenantCode, instance } = owner;
  const ofTenant = uses.filter((use) => use.tenantCode === tenantCode);
  const limit = tenantShare(uses, tenantCode, limits);
  const all: Room = { over: 'over_limit', used: sum(uses), limit: limits.total };
  const own: Room = { over: 'over_tenant', used: sum(ofTenant), limit };
  const rooms = limit < limits.total ? [own, all] : [all];
  const sites = new Set([...ofTenant.map((use) => use.instance), instance]);
  if (instance === null || sites.size - Number(sites.has(null)) < 2) return rooms;
  const ofSite = ofTenant.filter((use) => use.instance === instance);
  const siteLimit = Math.floor((limit * limits.sitePercent) / 100);
  return [{ over: 'over_site', used: sum(ofSite), limit: siteLimit }, ...rooms];
}

function tenantShare(uses: readonly EvidenceUse[], tenantCode: string, limits: EvidenceLimits): number {
  if (limits.tenantPercent > 0) return Math.floor((limits.total * limits.tenantPercent) / 100);
  return Math.floor(limits.total / new Set([...uses.map((use) => use.tenantCode), tenantCode]).size);
}

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
  for (const { tenantCode, instance } of uses)
    for (const room of roomsOf(uses, { tenantCode, instance }, limits)) {
      if (room.used < room.limit * NEARLY_FULL) continue;
      const owner =
        room.over === 'over_limit'
          ? null
          : { tenantCode, instance: room.over === 'over_site' ? instance : null };
      found.set(JSON.stringify([room.over, owner]), { owner, room });
    }
  return [...found.values()].filter(({ room }) => room.limit > 0);
}

const sum = (uses: readonly EvidenceUse[]): number => uses.reduce((total, { bytes }) => total + bytes, 0);
