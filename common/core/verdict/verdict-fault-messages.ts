import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a judgement of an event. Each is read after the path of the member. */
export const verdictFaultMessages = {
  note_needed: sentences('is required when the verdict is false_alarm', '研判为误报时必填'),
  target_needed: sentences('is required when the verdict is merged', '研判为合并时必填'),
  target_unwanted: sentences('is only for the verdict merged', '只用于合并'),
  target_itself: sentences('must not be the event itself', '不能是该事件本身'),
  target_elsewhere: sentences('must be another event of the same tenant', '必须是同一租户的另一个事件'),
};

export const { fault, faultAt } = faultsOf(verdictFaultMessages);
