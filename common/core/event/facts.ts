import { storableText } from '../../http/body/json.ts';
import { type DocFacts, type EventDoc, type Judged, readDoc } from './record.ts';

/** Parses `doc`, which is most of what indexing an event costs. */
export const factsOf = (event: { doc: string }): DocFacts => factsIn(readDoc(event));

export function factsIn({
  siteRef,
  cameraRef,
  judged,
}: Pick<EventDoc, 'siteRef' | 'cameraRef' | 'judged'>): DocFacts {
  return { siteRef: storable(siteRef), cameraRef: storable(cameraRef), ...judgementOf(null, judged) };
}

/** The judgement that counts: that of the verdict, or else that of the event. */
export function judgementOf(
  verdict: Judged | null,
  event: Judged | null | undefined,
): Pick<DocFacts, 'judged' | 'judgedType'> {
  const judged = verdict ?? event ?? null;
  return { judged: judged !== null, judgedType: storable(judged?.type) };
}

/**
 * null for a text that no store keeps, with NUL or half a surrogate pair in it; no filter can name one
 * either.
 */
const storable = (text: string | undefined): string | null =>
  typeof text === 'string' && storableText(text) ? text : null;
