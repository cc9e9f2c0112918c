import { Tooltip } from 'antd';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { timeNow } from '../api/clock.ts';
import { useKept } from '../app/kept.ts';
import { useLanguage } from '../word/language.tsx';
import { ago, duration, ownZone, write, type ZoneChoice, zoneChoices } from './zone.ts';

interface Zones {
  choice: ZoneChoice;
  choose: (choice: ZoneChoice) => void;
  /** IANA name for times at this site, as chosen. @param site its instance; absent for what is of no site */
  of(site?: string | null): string;
}

const Context = createContext<Zones | null>(null);

/**
 * @param sites zones of the sites by their instances; what is of no site, or of one that is not there,
 *   has the zone of all of them, and where they differ that of this browser
 */
export function TimeProvider({
  sites,
  children,
}: {
  sites: ReadonlyMap<string, string>;
  children: ReactNode;
}) {
  const [choice, choose] = useKept('zone', zoneChoices, 'site');
  const value = useMemo<Zones>(() => {
    const every = common(sites);
    const atSite = (site?: string | null): string =>
      (site ? sites.get(site) : undefined) ?? every ?? ownZone();
    return {
      choice,
      choose,
      of: (site) => (choice === 'utc' ? 'UTC' : choice === 'mine' ? ownZone() : atSite(site)),
    };
  }, [choice, choose, sites]);
  return <Context value={value}>{children}</Context>;
}

/** The zone that every site has; undefined: there is none. */
function common(sites: ReadonlyMap<string, string>): string | undefined {
  const [zone, ...others] = new Set(sites.values());
  return others.length === 0 ? zone : undefined;
}

export function useZones(): Zones {
  const value = useContext(Context);
  if (!value) throw new Error('useZones stands outside of TimeProvider');
  return value;
}

/** A time in a sentence of the API. */
const UTC_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g;

/** Texts of times, for where `<Time>` cannot stand: axes, labels, files, sentences of the API. */
export function useTimeText() {
  const zones = useZones();
  const { language } = useLanguage();
  return useMemo(
    () => ({
      /** `2026-11-22 16:42:03 +08:00`. @param at ISO or ms @param site whose zone it is */
      full: (at: string | number, site?: string | null): string => {
        const { date, clock, offset } = write(msOf(at), zones.of(site));
        return `${date} ${clock} ${offset}`;
      },
      clock: (at: string | number, site?: string | null): string => write(msOf(at), zones.of(site)).clock,
      ago: (at: string | number, now: number): string => ago(msOf(at), now, language),
      /** A sentence of the API with its times as every screen shows them. @param site whose zone it is */
      within: (text: string, site?: string | null): string =>
        text.replace(UTC_TIME, (time) => {
          const ms = Date.parse(time);
          if (Number.isNaN(ms)) return time;
          const { date, clock, offset } = write(ms, zones.of(site));
          return `${date} ${clock} ${offset}`;
        }),
      lasting: (ms: number): string => duration(ms, language),
    }),
    [zones, language],
  );
}

const msOf = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

/**
 * A time as every screen shows it: date, clock and offset.
 * @param site whose zone it is; absent for what is of no site
 * @param ago shows how long ago it was, the time itself on hover
 */
export function Time({
  at,
  site,
  ago: relative,
}: {
  at: string | number;
  site?: string | null;
  ago?: boolean;
}) {
  const text = useTimeText();
  const now = useNow();
  const { date, clock, offset } = write(msOf(at), useZones().of(site));
  const iso = new Date(msOf(at)).toISOString();
  if (relative)
    return (
      <Tooltip title={text.full(at, site)}>
        <time dateTime={iso}>{text.ago(at, now)}</time>
      </Tooltip>
    );
  return (
    <time dateTime={iso} className="time">
      <span className="day">{date}</span>{' '}
      <span className="clock">
        {clock} <span className="offset">{offset}</span>
      </span>
    </time>
  );
}

const TICK_MS = 5_000;
const rounded = (): number => Math.floor(timeNow() / TICK_MS) * TICK_MS;

function everyTick(changed: () => void): () => void {
  const timer = setInterval(changed, TICK_MS);
  return () => clearInterval(timer);
}

/** The time at headquarters, ms, which moves every five seconds: the clock of this browser may be wrong. */
export const useNow = (): number => useSyncExternalStore(everyTick, rounded);
