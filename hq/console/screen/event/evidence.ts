import type { Answer } from '../../api/client.ts';

export type EvidenceFile = Answer<'/api/core/events/{id}/evidence', 'get'>['items'][number];

/** Where a file stands that is kept at a site, as the hub answers instead of the file. */
export interface Far {
  state: EvidenceFile['state'];
  instance: string;
  /** That have come. */
  bytes: number;
  reason: string | null;
  askedAt: string | null;
  deletedAt: string | null;
}

/** States that change by themselves. */
export const isMoving = (state: string): boolean => /^(?:asked|awaited|arriving)$/.test(state);

export const isPicture = ({ contentType }: { contentType: string }): boolean =>
  /^image\/(?:jpeg|png|webp|gif)$/.test(contentType);
