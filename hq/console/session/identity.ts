import type { Answer } from '../api/client.ts';

/** Who is logged in. */
export type Identity = Answer<'/api/core/session', 'get'> & {
  /** The hub does not answer: what is shown was kept, and is as of then. Epoch ms. */
  keptAt?: number;
};
