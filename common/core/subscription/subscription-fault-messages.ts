import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a subscription. Each is read after the path of the member. */
export const subscriptionFaultMessages = {
  consumer_taken: sentences(
    [
      '{name} is how the response rules of this program read events: choose another name; ',
      'only pause it, or set it going, with nothing but "enabled"',
    ],
    '{name} 是本程序响应规则读取事件所用的名称，请换一个；它只能用 "enabled" 暂停或恢复',
  ),
  push_address_needed: sentences(
    'signs pushes; give push_url as well, or set both to null',
    '用于推送签名；请同时给出 push_url，或两者都设为 null',
  ),
  stream_position: sentences(
    'must be the id of a message of this stream, as EPOCH.CURSOR; leave it out to begin anew',
    '必须是本事件流中某条消息的 id（EPOCH.CURSOR）；不带此头则从头开始',
  ),
};

export const { fault } = faultsOf(subscriptionFaultMessages);
