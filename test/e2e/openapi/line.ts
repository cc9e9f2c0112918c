// What the lines of the table are made of; how to add one stands in table.ts.
import type { Ask, World } from './world.ts';

export type Make = (world: World) => Ask | Promise<Ask>;

export interface Line {
  /** Makes a request that must get a documented 2xx. */
  good: Make;
  /** Further calls by the status, and for an error the code, that they must get. */
  more?: Record<string, Make>;
  /** The route takes any path and query, and looks at credentials first. */
  anyTarget?: boolean;
  /** The program that has the route, when it is not both. */
  only?: 'site' | 'hub';
  /** What is asked of a site in place of it, where the two answer differently. */
  atSite?: Line;
  /** Why a documented status cannot be had here. */
  unseen?: Record<number, string>;
}

export const bare: Make = () => ({});
/** An id that nothing has. */
export const MISSING = 999_999;
export const other = { tenant_code: 'someone-else' };
export const at = (path: string, body?: unknown): Ask => ({
  target: path,
  ...(body === undefined ? {} : { body }),
});
