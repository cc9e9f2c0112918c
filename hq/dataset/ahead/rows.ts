// What becomes of rows that a source stamped after its own time.
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { RaiseAlarm } from '../../../common/core/alarm/port.ts';
import { msOfTime } from '../../../common/dataset/position.ts';
import { SIGNATURE_TOLERANCE_S } from '../../../common/http/signing/signature.ts';
import { say } from '../../../common/message.ts';
import { hubMessages } from '../../hub-messages.ts';
import { alarmKey } from '../alarm.ts';
import { ContractBroken } from '../contract.ts';
import type { RowsAhead } from '../page-check.ts';
import type { Source, Trouble } from '../record.ts';
import { type SourceMessage, sourceReasons } from '../source-messages.ts';

/** Rows that a message names. */
const NAMED_ROWS = 5;

const named = ({ rows, more }: RowsAhead): string =>
  rows
    .slice(0, NAMED_ROWS)
    .map(({ pk, updatedAt }) => `pk ${pk} (${updatedAt})`)
    .join(', ') + (more || rows.length > NAMED_ROWS ? ', …' : '');

/** Whether a person is to be told; what is only as far ahead as clocks differ comes with the next run. */
export const isFarAhead = ({ rows, asOf }: RowsAhead): boolean =>
  rows.some(({ updatedAt }) => msOfTime(updatedAt) - msOfTime(asOf) > SIGNATURE_TOLERANCE_S * 1000);

/** What is kept with the dataset of rows that `isFarAhead` tells of. */
export function aheadTrouble(ahead: RowsAhead): Trouble {
  const told: SourceMessage = { code: 'rows_ahead_left', params: { asOf: ahead.asOf, rows: named(ahead) } };
  return { text: say(sourceReasons, told, 'en'), told };
}

/** The alarm for rows that `isFarAhead` tells of. @param instance name of this instance */
export function aheadAlarm(source: Source, dataset: string, ahead: RowsAhead, instance: string): RaiseAlarm {
  return {
    key: alarmKey('ahead', source.id, dataset),
    instance,
    tenantCode: source.tenantCode,
    shared: true,
    severity: 'warning',
    ...alarmText(
      hubMessages,
      {
        code: 'dataset_rows_ahead',
        params: { source: source.name, dataset, asOf: ahead.asOf, rows: named(ahead) },
      },
      { source: source.id, dataset, pk: ahead.rows.slice(0, NAMED_ROWS).map(({ pk }) => pk) },
    ),
  };
}

/**
 * A recompute deletes what the source does not give; it must know all of what is left for later.
 * @throws ContractBroken
 */
export function requireWhole(ahead: RowsAhead): void {
  if (ahead.more)
    throw new ContractBroken('rows_ahead', {
      code: 'rows_ahead_many',
      params: { asOf: ahead.asOf, rows: named(ahead) },
    });
}
