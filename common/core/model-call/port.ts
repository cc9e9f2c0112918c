import type { ModelCallKind, ModelCalls } from './record.ts';

export type ModelCallDay = Pick<ModelCalls, 'tenantCode' | 'day' | 'kind'>;

/** Counts of calls to models. They stand in the store, so that a restart and several hubs share them. */
export interface ModelCallPort {
  /**
   * Counts one call, in one statement. @returns calls of the day, this one included; null: all `most` were
   * made
   */
  take(of: ModelCallDay, most: number): Promise<number | null>;
  addTokens(of: ModelCallDay, tokens: number): Promise<void>;
  /** From a day on, newest day first. @param tenantCode null: all */
  list(tenantCode: string | null, since: string, kind?: ModelCallKind): Promise<ModelCalls[]>;
  /** Deletes the counts of earlier days. */
  forgetBefore(day: string): Promise<void>;
}
