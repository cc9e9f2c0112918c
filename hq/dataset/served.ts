// The datasets that headquarters serves of its own.
import type { DatasetDescriptor, FieldDescriptor } from '../../common/dataset/schema.ts';

export type ServedKey = 'events_daily' | 'incident_groups' | 'tasks';

type Type = FieldDescriptor['type'];
const fields = (
  types: Record<string, Type>,
  measures: Record<string, NonNullable<FieldDescriptor['measure']>> = {},
): FieldDescriptor[] =>
  Object.entries(types).map(([name, type]) => ({ name, type, measure: measures[name] ?? null }));

export const SERVED: readonly (DatasetDescriptor & { key: ServedKey })[] = [
  {
    key: 'events_daily',
    schemaVersion: '1',
    updateFrequency: 'within two minutes of the event',
    earliest: null,
    granularity:
      'one site, day (Beijing time), event type, severity, verdict and instance; tests are left out, and ' +
      'what retention has deleted stays counted',
    fields: fields(
      {
        day: 'date',
        site_ref: 'string',
        type: 'string',
        severity: 'string',
        verdict: 'string',
        instance: 'string',
        event_count: 'integer',
      },
      { event_count: 'count' },
    ),
  },
  {
    key: 'incident_groups',
    schemaVersion: '1',
    updateFrequency: 'within two minutes of the change',
    earliest: null,
    granularity: 'one incident group that is no test',
    fields: fields(
      {
        layer: 'string',
        site_ref: 'string',
        point_ref: 'string',
        title: 'string',
        state: 'string',
        severity: 'string',
        first_at: 'time',
        last_at: 'time',
        member_count: 'integer',
        merged_into: 'integer',
        instance: 'string',
      },
      { member_count: 'sum' },
    ),
  },
  {
    key: 'tasks',
    schemaVersion: '1',
    updateFrequency: 'within two minutes of the change',
    earliest: null,
    granularity: 'one task',
    fields: fields({
      type: 'string',
      state: 'string',
      severity: 'string',
      title: 'string',
      event_id: 'integer',
      assignee_org: 'string',
      due_at: 'time',
      result_code: 'string',
      created_at: 'time',
      taken_over_at: 'time',
      completed_at: 'time',
      closed_at: 'time',
      cancelled_at: 'time',
      instance: 'string',
    }),
  },
];
