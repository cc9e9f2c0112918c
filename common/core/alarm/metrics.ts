import { gauge, type Metric } from '../../metrics.ts';
import { isAlarmName, nameOf } from './alarm-name-messages.ts';
import type { AlarmPort, AlarmRecord } from './port.ts';

/** Alarms that are looked at, worst first. */
const MOST = 1_000;

/**
 * What stands, by severity and by name. @param self instance of this program: how another one names its
 * alarms is not in our hands, and of its names only those that are known are shown, the rest as `other`
 */
export const alarmMetrics = (alarms: AlarmPort, self: string): Metric[] => [
  gauge('fieldline_alarms', 'Alarms that stand, by severity', async () =>
    Object.entries(await alarms.standing(null)).map(([severity, value]) => ({
      labels: { severity },
      value,
    })),
  ),
  gauge('fieldline_alarms_standing', 'Alarms that stand, by name and severity', async () => {
    const standing = await alarms.list({ tenantCode: null, includeCleared: false }, MOST, 'worst');
    const shown = (alarm: AlarmRecord): string => {
      const name = nameOf(alarm.key);
      return alarm.instance === self || isAlarmName(name) ? name : 'other';
    };
    const groups = Map.groupBy(standing, (alarm) => `${shown(alarm)} ${alarm.severity}`);
    return [...groups].map(([group, { length }]) => {
      const [code = '', severity = ''] = group.split(' ');
      return { labels: { code, severity }, value: length };
    });
  }),
];
