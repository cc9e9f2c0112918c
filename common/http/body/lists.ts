// Lists that are longer than their schema allows are found before the entries are checked, one by one, for
// nothing.
import { type FaultMessage, saidOf } from '../fault/fault.ts';
import type { Schema } from '../route.ts';

interface OverlongList {
  path: PropertyKey[];
  message: string;
  told: FaultMessage;
}

interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  valueType?: Schema;
  in?: Schema;
}

/** What of a value has to be looked at; null where its schema has no list with a limit. */
type Look = (value: unknown, path: readonly PropertyKey[], found: OverlongList[]) => void;

const looks = new WeakMap<Schema, Look | null>();

/**
 * Those that are too long; without them the value may still be of any form. Alternatives (`union`) are not
 * looked into.
 */
export function overlongLists(schema: Schema, value: unknown): OverlongList[] {
  const look = lookOf(schema);
  if (look === null) return NONE;
  const found: OverlongList[] = [];
  look(value, [], found);
  return found;
}

const NONE: OverlongList[] = [];

function lookOf(schema: Schema): Look | null {
  let look = looks.get(schema);
  if (look === undefined) {
    look = makeLook(schema);
    looks.set(schema, look);
  }
  return look;
}

function makeLook(schema: Schema): Look | null {
  const { type, shape, element, innerType, valueType, in: first } = schema._zod.def as unknown as Definition;
  if (type === 'array' && element) return lookAtList(schema, lookOf(element));
  if (type === 'object' && shape) return lookAtMembers(shape);
  if (type === 'record' && valueType) return lookAtValues(lookOf(valueType));
  const inner = innerType ?? (type === 'pipe' ? first : undefined);
  return inner ? lookOf(inner) : null;
}

function lookAtList(schema: Schema, within: Look | null): Look | null {
  const { maximum } = schema._zod.bag as { maximum?: number };
  if (maximum === undefined && within === null) return null;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    if (maximum !== undefined && value.length > maximum)
      found.push(overlong([...path], maximum, value.length));
    else if (within) value.forEach((entry, index) => within(entry, [...path, index], found));
  };
}

function overlong(path: PropertyKey[], most: number, size: number): OverlongList {
  const said = saidOf('many_entries', { most, size });
  return { path, told: said, message: said.message };
}

function lookAtMembers(shape: Record<string, Schema>): Look | null {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const look = lookOf(member);
    return look ? [{ name, look }] : [];
  });
  if (members.length === 0) return null;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null) return;
    for (const { name, look } of members)
      look((value as Record<string, unknown>)[name], [...path, name], found);
  };
}

function lookAtValues(within: Look | null): Look | null {
  if (within === null) return null;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, entry] of Object.entries(value)) within(entry, [...path, name], found);
  };
}
