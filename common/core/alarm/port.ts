/** Something that needs a person, raised and cleared by key (DESIGN.md, "Alarms"). */
export interface AlarmRecord {
  key: string;
  /** Instance that raised it. */
  instance: string;
  tenantCode: string | null;
  severity: 'warning' | 'critical';
  message: string;
  details: unknown;
  raisedAt: number;
  /** Times it was raised since it began to stand, the first included. */
  count: number;
  lastAt: number;
  clearedAt: number | null;
  /** Who takes care of it, as they say; null: nobody yet. */
  takenBy: string | null;
  takenAt: number | null;
}

export interface RaiseAlarm {
  key: string;
  instance: string;
  tenantCode: string | null;
  severity: 'warning' | 'critical';
  message: string;
  details?: unknown;
  /**
   * Any of the processes of one store may raise it, about the same thing: one alarm stands, that of who
   * raised it first. It is cleared with `instance` null.
   */
  shared?: boolean;
  /** When it began, where another instance tells that; left out: now, or when it began to stand here. */
  since?: number;
}

/** An alarm has begun to stand, changed its severity, or ended. */
export type AlarmChange = Pick<AlarmRecord, 'key' | 'instance' | 'severity'> & { standing: boolean };

export interface AlarmFilter {
  /** null: every tenant. */
  tenantCode: string | null;
  includeCleared: boolean;
  /** Where it was raised; left out: anywhere. */
  instance?: string | undefined;
  severity?: AlarmRecord['severity'] | undefined;
  /** Beginnings of their keys, any of them. */
  keys?: readonly string[] | undefined;
}

/** `recent`: last raised first. `worst`: critical ones first, and of these those that stand longest. */
export const alarmOrders = ['recent', 'worst'] as const;
export type AlarmOrder = (typeof alarmOrders)[number];

export type AlarmCounts = Record<AlarmRecord['severity'], number>;

export interface AlarmPort {
  /** Raises it, or counts it again while it stands. True when it was not standing. */
  raise(alarm: RaiseAlarm, now: number): Promise<boolean>;
  /**
   * `instance` null: whichever raised it, for a key that several processes of one store share. True when it
   * was standing.
   */
  clear(key: string, instance: string | null, now: number): Promise<boolean>;
  /** Somebody takes care of it: nobody is told again. False when it does not stand. */
  take(key: string, instance: string, by: string, now: number): Promise<boolean>;
  /**
   * `tenantCode` null: every alarm; otherwise only those of that tenant, not those of the store as a whole.
   * @param order `recent` where it is left out
   */
  list(filter: AlarmFilter, limit: number, order?: AlarmOrder): Promise<AlarmRecord[]>;
  /** How many stand. @param tenantCode as that of a list */
  standing(tenantCode: string | null): Promise<AlarmCounts>;
  /** @param told once a change that this process made is stored; of other processes' it is not told */
  onChange(told: (change: AlarmChange) => void): void;
}
