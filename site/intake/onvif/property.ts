// What a device told of its conditions, to know a change that is told as a beginning.
import { deviceTime } from '../message/time.ts';
import { hasClasses } from '../topic/object.ts';
import { stateOf } from '../topic/topic.ts';
import { attributeOf, elementOf, messageOf, simpleItems } from './document.ts';

/** Conditions of one device that are remembered. */
const REMEMBERED = 2_000;

/**
 * Some firmwares write `Initialized` into all that they tell, and what begins while a subscription is made
 * anew is told with it as well. What was told before in another state is a change, whatever it is called. Of
 * what was never told nothing is known.
 */
export class Properties {
  /** What was told of each, by what tells it from the others, the one told least lately first. */
  #told = new Map<string, { state: boolean; at: number | null }>();

  /** Takes in a notification. @returns whether it tells a change as a beginning */
  changed(notification: string): boolean {
    const told = elementOf(notification, 'NotificationMessage');
    if (typeof told === 'string') return false;
    const message = messageOf(told);
    const data = simpleItems(message.Data);
    const state = stateOf(data) ?? hasClasses(data);
    if (state === null) return false;
    const { Topic: topic } = told;
    const source = simpleItems(message.Source);
    // One rule may tell of several kinds of objects, by a member each.
    const objects = Object.keys(data).filter((one) => /^is[a-z]/i.test(one));
    const name = JSON.stringify([topic, source, simpleItems(message.Key), objects.sort()]);
    const before = this.#told.get(name);
    const at = deviceTime(attributeOf(message, 'UtcTime'))?.at ?? null;
    const begun = attributeOf(message, 'PropertyOperation')?.toLowerCase() === 'initialized';
    // A beginning that is older than what is known tells of the time before.
    if (begun && before && at !== null && before.at !== null && at < before.at) return false;
    this.#told.delete(name);
    this.#told.set(name, { state, at });
    for (const oldest of this.#told.keys()) {
      if (this.#told.size <= REMEMBERED) break;
      this.#told.delete(oldest);
    }
    return begun && before !== undefined && before.state !== state;
  }
}
