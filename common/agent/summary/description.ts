// What a language model is told of an event: nothing that names a person. Pure.
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import { formatTime } from '../../time.ts';
import { typeName } from '../rule-set/template.ts';

/** Events of one rule and place that followed one another; times are epoch ms. */
export interface BurstSpan {
  events: number;
  from: number;
  until: number;
}

export interface Around {
  /** Events of the same place before it, the newest first. */
  earlier: readonly EventRecord[];
  /** Excerpts of the policies that apply. */
  policies: readonly string[];
  /** null: it is one event. */
  burst: BurstSpan | null;
  /** The name that people gave the camera; null: none. */
  camera: string | null;
}

/** Characters of a title or description, and of one excerpt. */
const MAX_WORDS = 500;
const MAX_EXCERPT = 600;

export function describe(event: EventRecord, { earlier, policies, burst, camera }: Around): string {
  const { cameraName, cameraRef, pointRef, description, judged } = readDoc(event);
  return JSON.stringify({
    ...brief(event),
    kind: event.kind,
    source: event.source,
    camera: camera ?? cameraName ?? cameraRef,
    point: pointRef,
    description: description?.slice(0, MAX_WORDS),
    judged: judged && { type: judged.type, confidence: judged.confidence, text: judged.text },
    ...(burst ? { burst: spanOf(burst) } : {}),
    earlier: earlier.map((one) => ({ ...brief(one), verdict: one.correctedTo ?? one.verdict })),
    policies: policies.map((text) => text.slice(0, MAX_EXCERPT)),
  });
}

const spanOf = ({ events, from, until }: BurstSpan) => ({
  events,
  from: formatTime(from),
  until: formatTime(until),
});

function brief(event: EventRecord) {
  const { siteRef, title } = readDoc(event);
  const { type, severity, occurredAt, receivedAt } = event;
  return {
    type,
    severity,
    occurredAt: formatTime(occurredAt ?? receivedAt),
    site: siteRef,
    title: title?.slice(0, MAX_WORDS),
  };
}

/** What is looked for among the policies. */
export function questionOf(event: EventRecord): string {
  const { title, description } = readDoc(event);
  return [typeName(event.type), title, description]
    .filter((text) => text !== undefined && text !== '')
    .join(' ')
    .slice(0, MAX_WORDS);
}
