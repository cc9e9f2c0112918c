import { type MessageOf, type MessageParam, say, type Sentences } from '../../message.ts';
import { domainFaultMessages } from './domain-fault-messages.ts';
import { inputFaultMessages } from './fault-messages.ts';
import { hqFaultMessages } from './hq-fault-messages.ts';

/** Everything that a fault of input may say. No code stands in two of them: a test holds that. */
export const everyFaultMessage = { ...inputFaultMessages, ...domainFaultMessages, ...hqFaultMessages };
type Faults = typeof everyFaultMessage;
export type FaultCode = keyof Faults & string;
export type FaultMessage = MessageOf<Faults>;

type Names<C extends FaultCode> = Faults[C] extends Sentences<infer Name> ? Name : never;
/** The particulars that the sentences of a code name; nothing where they name none. */
export type Particulars<C extends FaultCode> = [Names<C>] extends [never]
  ? []
  : [params: Readonly<Record<Names<C>, MessageParam>>];

/** One thing wrong with a request; `path` is where in the input it stands. */
export interface Fault {
  path: string;
  message: string;
  /** Of what `message` says, stable and for programs; left out where it was told by another program. */
  code?: string;
  /** `message` in Chinese, where a person reads it. */
  messageZh?: string;
}

/** A fault as its message, before anybody reads it. */
export const saidOf = <C extends FaultCode>(code: C, ...[params]: Particulars<C>): FaultMessage =>
  ({ code, params: params ?? {} }) as FaultMessage;

/** @param message of the catalogue of faults */
export function faultOf(path: string, message: FaultMessage): Fault {
  return {
    path,
    code: message.code,
    message: say(everyFaultMessage, message, 'en'),
    messageZh: say(everyFaultMessage, message, 'zh'),
  };
}

export const faultAt = <C extends FaultCode>(path: string, code: C, ...params: Particulars<C>): Fault =>
  faultOf(path, saidOf(code, ...params));

/** An issue of a schema check, as zod hands it to whatever words it. */
interface Worded {
  told?: FaultMessage;
  /** Found by another check, in whose words it stands. */
  fault?: Fault;
}

/**
 * Words an issue: its English sentence, and on the issue itself the message that other languages are made
 * from. zod copies what stands on a raw issue into the one that it reports.
 */
export function word(issue: object, message: FaultMessage): string {
  (issue as Worded).told = message;
  return say(everyFaultMessage, message, 'en');
}

/** What a schema's own check says: `z.regex(/\S/, saying('blank'))`. */
export const saying = <C extends FaultCode>(
  code: C,
  ...params: Particulars<C>
): { error: (issue: object) => string } => ({ error: (issue) => word(issue, saidOf(code, ...params)) });

/** The message of a reported issue; null where the issue was worded by zod or by a text of its own. */
export const toldBy = (issue: object): FaultMessage | null => (issue as Worded).told ?? null;

/**
 * The fault that an issue tells of. One that was worded by zod, or by a text of its own as those of a
 * configuration are, has no Chinese.
 */
export function faultBy(issue: { message: string }, path: string): Fault {
  const { told, fault } = issue as Worded;
  if (told) return faultOf(path, told);
  return fault ? { ...fault, path } : { path, message: issue.message };
}
