// What a person is told of how the store was opened, and of a disk that fails.
import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { Logger } from '../../common/log.ts';
import type { Message } from '../../common/message.ts';
import { formatTime } from '../../common/time.ts';
import { missedOf } from '../salvage/missed.ts';
import type { Salvage } from '../salvage/salvage.ts';
import { type SiteMessage, siteMessages } from '../site-messages.ts';
import type { RestoredNote } from '../store/engine/restored-note.ts';
import type { LostStore } from '../store/engine/store-note.ts';
import type { PassedFault } from '../store/health/health.ts';
import type { SiteStore } from '../store/open.ts';

export interface OpenedParts {
  store: SiteStore;
  clock: Clock;
  log: Logger;
}

/** A disk that failed for a moment and works again is likely to fail for good. */
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
      ...alarmText(siteMessages, { code: 'disk_fault', params: { reason: message } }, { message, count }),
    },
    clock.now(),
  );
}

/** Raises alarms for what had to be done to open the store, where a person must know of it. */
export async function tellOpened({ store, clock, log }: OpenedParts, instance: string): Promise<void> {
  const { salvaged, passed, lost, upgrade, restored } = store.opened;
  const raise = (
    key: string,
    severity: 'warning' | 'critical',
    message: SiteMessage,
    details: object,
  ): Promise<unknown> =>
    store.alarms.raise(
      { key, instance, tenantCode: null, severity, ...alarmText(siteMessages, message, details) },
      clock.now(),
    );
  try {
    if (passed !== null) await tellFault({ store, clock }, instance, { message: passed, count: 1 });
    if (salvaged !== null) await raise('store_salvaged', 'critical', ofSalvage(salvaged), salvaged);
    if (lost !== null) {
      await raise('store_lost', 'critical', ofLoss(lost), lost);
      store.clearLossNote();
    }
    if (restored !== null) {
      await raise('store_restored', 'warning', ofRestore(restored), restored);
      await store.clearRestoredNote();
    }
    if (upgrade !== null && upgrade.copy === null) {
      await raise(
        'upgrade_without_copy',
        'warning',
        { code: 'upgrade_without_copy', params: { from: upgrade.from, to: upgrade.to } },
        { from: upgrade.from, to: upgrade.to },
      );
    }
  } catch (error) {
    log.warn({ err: error }, 'an alarm about the opening of the store could not be written');
  }
}

/** What is told in a sentence of its own, with what to do about it. */
const WITH_REMEDY = ['keys', 'devices', 'tasks', 'rules', 'consumers', 'orders'] as const;

function ofSalvage({
  reason,
  aside,
  saved,
  incomplete,
  parentless,
  lost,
  log,
  closed,
}: Salvage): SiteMessage {
  const missed = missedOf(incomplete, parentless);
  const said = (code: string): Message => ({ code, params: {} });
  const doubt = (kind: (typeof WITH_REMEDY)[number]): Message[] =>
    missed.includes(kind) ? [said(`${kind}_doubtful`)] : [];
  const others = missed.filter((kind) => !WITH_REMEDY.some((one) => one === kind));
  const shut = Object.keys(closed).join(', ');
  return {
    code: 'store_salvaged',
    params: {
      reason: reason.replace('*** in database main ***', '').replace(/\s+/g, ' ').trim(),
      aside,
      saved: {
        code: lost.events > 0 || incomplete.includes('events') ? 'saved_some' : 'saved_all',
        params: { events: saved.events ?? 0 },
      },
      missing: missing(lost),
      others:
        others.length === 0
          ? []
          : [{ code: 'others_lost', params: { what: others.map((kind) => said(`lost_${kind}`)) } }],
      keys: doubt('keys'),
      devices: doubt('devices'),
      tasks: doubt('tasks'),
      rules: doubt('rules'),
      consumers: doubt('consumers'),
      orders: doubt('orders'),
      log: log === null ? [] : [logMessage(log.waiting)],
      tables: shut === '' ? [] : [{ code: 'tables_closed', params: { tables: shut } }],
    },
  };
}

const logMessage = (waiting: number | null): Message =>
  waiting === null
    ? { code: 'log_unknown', params: {} }
    : { code: 'log_waiting', params: { count: waiting } };

function missing({ events, unsent }: Salvage['lost']): Message[] {
  if (events === 0) return [];
  if (unsent === null) return [{ code: 'events_lost', params: { events } }];
  if (unsent.events === 0) return [{ code: 'events_lost_here', params: { events } }];
  const { from, to } = unsent;
  return [{ code: 'events_lost_unsent', params: { events, unsent: unsent.events, from, to } }];
}

function ofRestore({ restoredAt, madeAt, newestAt, idInCopy, idBefore }: RestoredNote): SiteMessage {
  const [code, at] =
    madeAt === null ? (['copy_reaches', newestAt] as const) : (['copy_made', madeAt] as const);
  const between: Message =
    idBefore === 0
      ? { code: 'between_unknown', params: {} }
      : idBefore <= idInCopy
        ? { code: 'between_nothing', params: {} }
        : { code: 'between_ids', params: { from: idInCopy + 1, to: idBefore } };
  return {
    code: 'store_put_back',
    params: {
      at: formatTime(restoredAt),
      copy: at === null ? { code: 'copy_empty', params: {} } : { code, params: { time: formatTime(at) } },
      between,
    },
  };
}

function ofLoss({ known, signs }: LostStore): SiteMessage {
  const cameras = known?.cameras ?? 0;
  return {
    code: 'store_lost',
    params: {
      signs: signs.join(', '),
      held: held(known),
      cameras: cameras === 0 ? [] : [{ code: 'cameras_gone', params: { cameras } }],
    },
  };
}

function held(known: LostStore['known']): Message {
  if (known === null) return { code: 'held_unknown', params: {} };
  const params = { time: formatTime(known.at), event: known.lastEventId };
  if (known.unsent === null) return { code: 'held_known', params };
  return { code: 'held_unsent', params: { ...params, unsent: known.unsent } };
}
