import { counter, gauge, type Metric } from '../../common/metrics.ts';
import type { DeviceState, DeviceStates } from './device/state.ts';
import type { Recorder } from './recorder.ts';
import type { ConnectionView } from './schema.ts';
import type { DeviceService } from './service.ts';

export interface DeviceFigures {
  states: DeviceStates;
  recorder: Pick<Recorder, 'episodes'>;
  connectionOf: (keyId: string) => ConnectionView | null;
}

/** Figures of devices that cannot sign, for `/metrics`. */
export function deviceMetrics(
  service: Pick<DeviceService, 'list'>,
  { states, recorder, connectionOf }: DeviceFigures,
): Metric[] {
  const each = (read: (state: DeviceState) => number) => () =>
    service
      .list()
      .map(({ keyId, kind }) => ({ labels: { device: keyId, kind }, value: read(states.of(keyId)) }));
  const connected = (read: (view: ConnectionView) => number | null) => () =>
    service.list().flatMap(({ keyId, kind }) => {
      const view = connectionOf(keyId);
      const value = view && read(view);
      const condition = view?.condition ?? '';
      return value === null ? [] : [{ labels: { device: keyId, kind, condition }, value }];
    });
  return [
    gauge(
      'fieldline_device_connected',
      '1 where the connection to a device stands, by its condition',
      connected(({ condition }) => Number(condition === 'connected')),
    ),
    gauge(
      'fieldline_device_alive_timestamp_seconds',
      'When anything came on the connection to a device, heartbeats too',
      connected(({ aliveAt }) => (aliveAt === null ? null : Date.parse(aliveAt) / 1000)),
    ),
    counter(
      'fieldline_device_connects_total',
      'Connections to a device that it let in',
      connected(({ connects }) => connects),
    ),
    counter(
      'fieldline_device_messages_total',
      'Messages of devices',
      each((one) => one.messages),
    ),
    counter(
      'fieldline_device_heartbeats_total',
      'Heartbeats of devices',
      each((one) => one.heartbeats),
    ),
    counter(
      'fieldline_device_events_total',
      'Events made of messages of devices',
      each((one) => one.stored),
    ),
    counter(
      'fieldline_device_repeated_total',
      'Reports of alarms that stood already, and events that were known',
      each((one) => one.repeated),
    ),
    counter(
      'fieldline_device_ended_total',
      'Ends of alarms, also of such as did not stand',
      each((one) => one.ended),
    ),
    counter(
      'fieldline_device_doubtful_total',
      'Events of alarms that may have stood already',
      each((one) => one.doubtful),
    ),
    counter(
      'fieldline_device_unreadable_total',
      'Messages of devices that could not be read',
      each((one) => one.unreadable),
    ),
    counter(
      'fieldline_device_unknown_types_total',
      'Events of types that no table has',
      each(({ unknownTypes }) => [...unknownTypes.values()].reduce((sum, count) => sum + count, 0)),
    ),
    counter(
      'fieldline_device_pictures_lost_total',
      'Pictures that could not be kept',
      each((one) => one.picturesLost),
    ),
    gauge('fieldline_device_heard_timestamp_seconds', 'When a device was heard last', () =>
      service.list().flatMap(({ keyId, kind }) => {
        const { heardAt } = states.of(keyId);
        return heardAt === null ? [] : [{ labels: { device: keyId, kind }, value: heardAt / 1000 }];
      }),
    ),
    gauge('fieldline_device_alarms_standing', 'Alarms of devices that stand', () => recorder.episodes.open),
  ];
}
