// Whom or what a record of Dahua tells of.
import { textAt, valueAt } from '../message/json.ts';
import type { DahuaRecord } from './fields.ts';

const NO_PLATE = /^(?:unlicensed|unknown|no\s?plate|null|none|-+|无牌车?|未识别)$/i;
const PLATES = ['TrafficCar.PlateNumber', 'Plate.PlateNumber', 'Plate.Text', 'PlateNumber'];
const TARGETS = [
  'Object.ObjectType',
  'Objects.0.ObjectType',
  'Object.Type',
  'Objects.0.Type',
  'ObjectType',
  'ObjectTypes.0',
];
/** Codes that are of one kind of target, which their data does not name. */
const BY_CODE: Readonly<Record<string, string>> = {
  smartmotionhuman: 'human',
  smartmotionvehicle: 'vehicle',
};

/** null: there is none, or it was not read. The text of a vehicle is its make. */
export function plateOf(data: unknown): string | null {
  const ofPlate = /^plate$/i.test(textAt(data, 'Object.ObjectType') ?? '') ? ['Object.Text'] : [];
  const plates = [...PLATES, ...ofPlate].map((path) => textAt(data, path));
  return plates.find((plate) => plate !== null && !NO_PLATE.test(plate)) ?? null;
}

/** `human`, `vehicle` or another word of the device, in small letters. */
export function targetOf({ code, data }: DahuaRecord): string | null {
  const told = TARGETS.map((path) => textAt(data, path)).find((one) => one !== null);
  return told?.toLowerCase() ?? BY_CODE[code.toLowerCase()] ?? null;
}

/** The kinds of all objects that a record tells of, each once, in order; null where it tells none. */
export function objectsOf(told: DahuaRecord): string | null {
  const list = valueAt(told.data, 'Objects');
  const kinds = (Array.isArray(list) ? list : []).flatMap((one: unknown) => textAt(one, 'ObjectType') ?? []);
  if (kinds.length === 0) return targetOf(told);
  return [...new Set(kinds.map((kind) => kind.toLowerCase()))].sort().join(',');
}
