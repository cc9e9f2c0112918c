/** What a model is called for: the summary of a task, or the vectors of texts. */
export const modelCallKinds = ['summary', 'embedding'] as const;
export type ModelCallKind = (typeof modelCallKinds)[number];

/** Calls to a model for a tenant within a day of Beijing. */
export interface ModelCalls {
  tenantCode: string;
  /** `YYYY-MM-DD`. */
  day: string;
  kind: ModelCallKind;
  calls: number;
  /** Tokens that the model said it has used, where it says so. */
  tokens: number;
  /** Most calls of the day, as it was at the last one. */
  most: number;
}
