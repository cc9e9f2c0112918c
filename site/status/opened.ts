// What a person is told of how the store was opened, and of a disk that fails.
import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { formatTime } from '../../common/time.ts';
import { KEYS, type Salvage } from '../salvage/salvage.ts';
import type { PassedFault } from '../store/doubt.ts';
import type { LostStore } from '../store/known.ts';
import type { SiteStore } from '../store/open.ts';

export interface OpenedParts {
  store: SiteStore;
  clock: Clock;
  log: Logger;
}

/** A disk that fails and works again is on its way out. */
export async function tellFault(
  { store, clock }: Pick<OpenedParts, 'store' | 'clock'>,
  instance: string,
  { message, count }: PassedFault,
): Promise<void> {
  await store.alarms.raise(
    {
      key: 'disk_fault',
      instance,
      tenantCode: null,
      severity: 'warning',
      details: { message, count },
      message: `The disk failed for a moment (${message}) and worked again; nothing was lost. It may fail for good: make a backup, and replace it if this comes again.`,
    },
    clock.now(),
  );
}

/** What had to be done to open the store, where a person must know of it. */
export async function tellOpened({ store, clock, log }: OpenedParts, instance: string): Promise<void> {
  const { salvaged, passed, lost, upgrade } = store.opened;
  const raise = (
    key: string,
    severity: 'warning' | 'critical',
    message: string,
    details: unknown,
  ): Promise<unknown> =>
    store.alarms.raise({ key, instance, tenantCode: null, severity, message, details }, clock.now());
  try {
    if (passed !== null) await tellFault({ store, clock }, instance, { message: passed, count: 1 });
    if (salvaged !== null) await raise('store_salvaged', 'critical', ofSalvage(salvaged), salvaged);
    if (lost !== null) {
      await raise('store_lost', 'critical', ofLoss(lost), lost);
      store.lossTold();
    }
    if (upgrade !== null && upgrade.copy === null) {
      await raise(
        'upgrade_without_copy',
        'warning',
        `The store was brought from schema ${upgrade.from} to ${upgrade.to}; there was no room for a copy of it from before.`,
        { from: upgrade.from, to: upgrade.to },
      );
    }
  } catch (error) {
    log.warn({ err: error }, 'an alarm about the opening of the store could not be written');
  }
}

function ofSalvage({ reason, aside, saved, incomplete, lost, closed }: Salvage): string {
  const of = (table: string): boolean => incomplete.includes(table);
  const { events, unsent } = lost;
  const missing =
    events === 0
      ? ''
      : unsent === null
        ? `At least ${events} events are lost. `
        : unsent.events === 0
          ? `At least ${events} events are lost here; headquarters had confirmed them all. `
          : `At least ${events} events are lost, of them ${unsent.events} between ${unsent.from} and ${unsent.to} that headquarters had not confirmed. `;
  return [
    `The store was damaged (${reason.replace('*** in database main ***', '').replace(/\s+/g, ' ').trim()}). It was set aside as ${aside}; ${saved.events ?? 0} events could be saved${incomplete.length > 0 ? ', not all' : ''}. `,
    missing,
    KEYS.some(of)
      ? 'Keys may be lost, or be valid again that had been removed: compare fieldline-site node list and the named ' +
        'admin keys, and add, restore or remove what is to be otherwise. '
      : '',
    of('tasks') || of('task_entries')
      ? 'Tasks or entries of them may be lost: compare the open tasks with what is under way. '
      : '',
    of('rules') || of('channels')
      ? 'Response rules or notification channels that were registered here may be lost, or be of an older version: look at them. '
      : '',
    of('subscriptions')
      ? 'Consumers may have lost their registration or stand elsewhere: compare GET /api/core/subscriptions. '
      : '',
    Object.keys(closed).length > 0
      ? `The tables ${Object.keys(closed).join(', ')} take no new rows: restore a backup. `
      : '',
    'Check the disk. When nothing more is wanted of the file, delete it and run: fieldline-site alarms clear store_salvaged --by NAME.',
  ].join('');
}

function ofLoss({ known, signs }: LostStore): string {
  const held =
    known === null
      ? 'How much it held is not known here. '
      : `At ${formatTime(known.at)} its newest event was ${known.lastEventId}` +
        `${known.unsent === null ? '' : `, and headquarters had not confirmed ${known.unsent} events`}; what came after that is not known. ` +
        `${known.cameras === 0 ? '' : `The keys of ${known.cameras} cameras are gone with it: cameras are refused until they are added anew. `}`;
  return (
    `The store of this site is gone: site.db was empty or missing, although it was there before (${signs.join(', ')}). A new, empty one was begun under a new epoch. ${held}` +
    'Check the disk. To put a backup back: systemctl stop fieldline-site; fieldline-site restore FILE. Otherwise add the cameras (fieldline-site node add), ' +
    'register rules and consumers anew, and run: fieldline-site alarms clear store_lost --by NAME.'
  );
}
