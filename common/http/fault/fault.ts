import {
  type Catalogue,
  type Language,
  type Message,
  type MessageOf,
  type MessageParam,
  type Particulars,
  say,
} from '../../message.ts';
import { inputFaultMessages } from './fault-messages.ts';

/** One thing wrong with a request; `path` is where in the input it stands. */
export interface Fault {
  path: string;
  message: string;
  /** Of what `message` says, stable and for programs; left out where it was told by another program. */
  code?: string;
  /** `message` in Chinese, where a person reads it. */
  messageZh?: string;
}

/** A fault in the words of the catalogue that has its code, wherever in an input it may stand. */
export interface FaultMessage extends Message {
  message: string;
  messageZh: string;
}

/** What makes faults of the codes of a catalogue. */
export interface FaultMakers<C extends Catalogue> {
  /** A fault as its message, before it is known where it stands. */
  saidOf: <Code extends keyof C & string>(code: Code, ...params: Particulars<C, Code>) => FaultMessage;
  faultAt: <Code extends keyof C & string>(
    path: string,
    code: Code,
    ...params: Particulars<C, Code>
  ) => Fault;
  /** What a schema's own check says: `z.regex(/\S/, saying('blank'))`. */
  saying: <Code extends keyof C & string>(
    code: Code,
    ...params: Particulars<C, Code>
  ) => { error: (issue: object) => string };
}

export function faultMakers<C extends Catalogue>(catalogue: C): FaultMakers<C> {
  const saidOf: FaultMakers<C>['saidOf'] = (code, ...[params = {}]) => ({
    code,
    params,
    message: told(catalogue, code, params, 'en'),
    messageZh: told(catalogue, code, params, 'zh'),
  });
  return {
    saidOf,
    faultAt: (path, code, ...params) => faultOf(path, saidOf(code, ...params)),
    saying: (code, ...params) => ({ error: (issue) => word(issue, saidOf(code, ...params)) }),
  };
}

/** Faults of every input, whatever it is of; those of a room are made by `faultsOf` of `room.ts`. */
export const { saidOf, faultAt, saying } = faultMakers(inputFaultMessages);

function told<C extends Catalogue>(
  catalogue: C,
  code: string,
  params: Message['params'],
  language: Language,
): string {
  // A fault within a fault may be of another catalogue, and is already in its words.
  const worded = Object.entries(params).map(([name, value]) => [
    name,
    isWorded(value) ? (language === 'en' ? value.message : value.messageZh) : value,
  ]);
  return say(catalogue, { code, params: Object.fromEntries(worded) } as MessageOf<C>, language);
}

const isWorded = (value: MessageParam): value is FaultMessage =>
  typeof value === 'object' && 'messageZh' in value;

export const faultOf = (path: string, { code, message, messageZh }: FaultMessage): Fault => ({
  path,
  code,
  message,
  messageZh,
});

/** A fault as it is stored, to be said by who reads it. */
export const messageOf = ({ code, params }: FaultMessage): Message => ({
  code,
  params: Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isWorded(value) ? messageOf(value) : value]),
  ),
});

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
  return message.message;
}

/** The message of a reported issue; null where the issue was worded by zod or by a text of its own. */
export const toldBy = (issue: object): FaultMessage | null => (issue as Worded).told ?? null;

/**
 * The fault that an issue tells of. One that was worded by zod, or by a text of its own as those of a
 * configuration are, has no Chinese.
 */
export function faultBy(issue: { message: string }, path: string): Fault {
  const { told: said, fault } = issue as Worded;
  if (said) return faultOf(path, said);
  return fault ? { ...fault, path } : { path, message: issue.message };
}
