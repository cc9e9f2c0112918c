// Whom or what an alert of Hikvision tells of.
import { isObject } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import type { Document } from './document.ts';

const NO_PLATE = /^(?:unknown|no\s?plate|none|null|-+|无车牌|未识别|车牌)$/i;
/** Members of what was captured, by which its kind is told. */
const CAPTURED = ['human', 'vehicle', 'nonMotor', 'face'];

/** The plate of a vehicle; null for none, or one that was not read. */
export function plateOf(alert: Document): string | null {
  const told = wordOf(memberOf(alert.ANPR ?? alert, 'licensePlate')) ?? propertyOf(alert, 'plateNo');
  return told === null || NO_PLATE.test(told) ? null : told;
}

/** Cameras that capture several kinds list what they saw as descriptions with values. */
function propertyOf(alert: Document, name: string): string | null {
  const listed = memberOf(alert.CaptureResult, 'Property');
  const all: unknown[] = Array.isArray(listed) ? listed : [listed];
  const found = all.find((one) => isObject(one) && wordOf(one.description) === name);
  return isObject(found) ? wordOf(found.value) : null;
}

/** `human`, `vehicle` or another word of the device, in small letters. */
export function targetOf(alert: Document): string | null {
  const told = [
    memberOf(alert.DetectionRegionList, 'detectionTarget'),
    alert.detectionTarget,
    alert.targetType,
    memberOf(alert.personDensityResult, 'recognitionType'),
  ];
  const word = told.map((one) => wordOf(one) ?? wordOf(memberOf(one, 'name', 1))).find((one) => one !== null);
  const captured = CAPTURED.find((name) => memberOf(alert.CaptureResult, name, 2) !== undefined);
  return (word ?? captured)?.toLowerCase() ?? null;
}

/** The kinds of all that it was raised for. */
export const targetsOf = (alert: Document): string | null =>
  listed(alert.DetectionRegionList, 'detectionTarget')?.toLowerCase() ?? targetOf(alert);

/** Where it was seen, in one region or several; null where the alert has no regions. */
export const regionOf = (alert: Document): string | null =>
  listed(alert.DetectionRegionList, 'regionID') ?? wordOf(memberOf(alert.personDensityResult, 'regionID'));

/** What the entries of a list say under a name, each once, in order. */
function listed(list: unknown, name: string): string | null {
  const entries = memberOf(list, 'DetectionRegionEntry') ?? list;
  const all: unknown[] = Array.isArray(entries) ? entries : [entries];
  const words = all.map((one) => wordOf(memberOf(one, name))).filter((word) => word !== null);
  return words.length === 0 ? null : [...new Set(words)].sort().join(',');
}

/** What a device that captures one after another follows as one: a face, a body or a vehicle. */
export const trackOf = (alert: Document): string | null =>
  wordOf(memberOf(alert, 'faceID')) ?? wordOf(memberOf(alert.CaptureResult, 'targetID'));

/** Who stays too long, where the device tells it every second of each. */
export const stayingOf = (alert: Document): string | null =>
  wordOf(memberOf(alert.personDensityResult, 'targetID'));
