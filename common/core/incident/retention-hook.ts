import type { RetentionHook } from '../retention/port.ts';
import type { IncidentPort } from './port.ts';

/** Clears the members of groups together with their events (spec 2, "Retention of incident groups"). */
export function incidentRetentionHook(incidents: IncidentPort): RetentionHook {
  return {
    name: 'incidents',
    forget: async (eventIds, stamp) => {
      const { events, deleted } = await incidents.forgetEvents(eventIds, stamp);
      return { incident_members: events, incidents: deleted.length };
    },
  };
}
