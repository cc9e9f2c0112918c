// What somebody decides about an event, as its form has it.
import type { DueChoice } from '../../../time/deadline.ts';
import type { Verdict } from '../queries.ts';

export interface Judgement {
  verdict: Verdict;
  note?: string;
  into?: number;
  /** Who is sent; empty: nobody. */
  organisation?: string;
  due?: DueChoice;
  /** ISO, of one's own deadline. */
  dueOwn?: string;
  /** What is to be done. */
  errand?: string;
  /** The same holds for the other events that it was opened for. */
  others?: boolean;
  /** Tasks that stay although the alarm was false. */
  kept?: number[];
}
