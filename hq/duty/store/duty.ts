import { asc, eq } from 'drizzle-orm';
import type { TimelineCalls } from '../../../common/core/timeline/port.ts';
import type { CallEntry } from '../../../common/core/timeline/record.ts';
import type { Database } from '../../store/engine/database.ts';
import type { DutyStore } from '../port.ts';
import { HubCalls } from './call.ts';
import { HubPersons } from './person.ts';
import { HubRotas } from './rota.ts';
import { dutyCallEvents, dutyCalls, dutySendings } from './schema.ts';

/** Who is called, and what was sent of it. */
export const createDutyStore = (database: Database): DutyStore => ({
  rotas: new HubRotas(database),
  persons: new HubPersons(database),
  calls: new HubCalls(database),
  timeline: timelineOf(database),
});

const timelineOf = (database: Database): TimelineCalls => ({
  ofEvent: async ({ id }, limit): Promise<CallEntry | null> => {
    const [found] = await database.read((db) =>
      db
        .select({ call: dutyCalls })
        .from(dutyCallEvents)
        .innerJoin(dutyCalls, eq(dutyCalls.id, dutyCallEvents.callId))
        .where(eq(dutyCallEvents.eventId, id)),
    );
    if (!found) return null;
    const { id: callId, takenBy, takenAt } = found.call;
    const sendings = await database.read((db) =>
      db
        .select()
        .from(dutySendings)
        .where(eq(dutySendings.callId, callId))
        .orderBy(asc(dutySendings.createdAt), asc(dutySendings.id))
        .limit(limit),
    );
    return { id: callId, takenBy, takenAt, sendings };
  },
});
