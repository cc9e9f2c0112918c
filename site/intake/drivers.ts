// The kinds of devices: the one list, which the API, the command line, intake and connections read.
import { driver as axis } from './axis/driver.ts';
import { driver as cloudevents } from './cloudevents/driver.ts';
import { driver as dahua } from './dahua/driver.ts';
import type { Driver } from './driver.ts';
import { driver as frigate } from './frigate/driver.ts';
import { driver as hikvision } from './hikvision/driver.ts';
import { driver as onvif } from './onvif/driver.ts';
import { driver as webhook } from './webhook/driver.ts';

const drivers = { cloudevents, webhook, hikvision, frigate, axis, onvif, dahua } as const;

export const deviceKinds = Object.keys(drivers) as (keyof typeof drivers)[];

/** @throws Error for a kind that no driver is for, as of a store of a later version */
export function driverOf(kind: string): Driver {
  const driver = new Map<string, Driver>(Object.entries(drivers)).get(kind);
  if (!driver) throw new Error(`there is no driver for devices of the kind ${kind}`);
  return driver;
}
